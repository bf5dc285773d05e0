import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import type { CoreAccess } from '../core/cores.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { openInBrowser } from './browser.ts';

/** `espalier serve`: hosts core and web app until it is told to end; where a core runs, asks it to listen. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal, cores } = context;
  // From the beginning, so that an early Ctrl-C closes the core properly.
  const interrupted = new Promise<void>((resolve) => void terminal.onInterrupt(resolve));
  const access = await cores.open({ attended: true, work: true });
  const input = { port: args.number('port') ?? 0, host: args.text('host') ?? '127.0.0.1' };
  try {
    const url = await listen(access, input);
    const told = { url, pid: access.pid, home: context.home };
    await terminal.out(`${args.flag('json') ? JSON.stringify(told) : url}\n`);
    const forget = args.flag('open') ? await openInBrowser(context, url) : null;
    if (access.hosted !== null) await interrupted;
    forget?.();
    return EXIT.done;
  } finally {
    const live = access.hosted?.liveRuns() ?? 0;
    if (live > 0) {
      const runs = live === 1 ? '1 run goes' : `${live} runs go`;
      terminal.note(`${runs} on without the core; the next start takes up what they do meanwhile.`);
    }
    await access.close();
  }
}

async function listen(access: CoreAccess, input: { port: number; host: string }): Promise<string> {
  if (access.hosted !== null) return (await access.hosted.listen(input)).url;
  return (await access.client.app.listen(input)).url;
}
