import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier serve`: hosts core and web app until it is told to end; where a core runs, asks it to listen. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal, cores } = context;
  // From the beginning, so that an early Ctrl-C closes the core properly.
  const interrupted = new Promise<void>((resolve) => void terminal.onInterrupt(resolve));
  const input = { port: args.number('port') ?? 0, host: args.text('host') ?? '127.0.0.1' };
  const page: { forget: (() => void) | null } = { forget: null };
  const served = await cores.serve(input, async (url, pid) => {
    const told = { url, pid, home: context.home };
    await terminal.out(`${args.flag('json') ? JSON.stringify(told) : url}\n`);
    if (!args.flag('open')) return;
    const { openInBrowser } = await import('./browser.ts');
    page.forget = await openInBrowser(context, url);
  });
  const { hosted } = served;
  try {
    if (hosted !== null) await Promise.race([interrupted, hosted.closed]);
    return EXIT.done;
  } finally {
    page.forget?.();
    const live = hosted?.liveRuns() ?? 0;
    if (live > 0) {
      const runs = live === 1 ? '1 run goes' : `${live} runs go`;
      terminal.note(`${runs} on without the core; the next start takes up what they do meanwhile.`);
    }
    await served.close();
  }
}
