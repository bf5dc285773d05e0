import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/**
 * `espalier serve`: hosts core and web app until it is told to end. Where a core runs, that one is asked to listen, and its place is taken when it ends.
 *
 * | state | the core of another process goes | it cannot be served | Ctrl-C |
 * |---|---|---|---|
 * | opening, for the first time | waited for, or taken over | told, the end | the end |
 * | served here | – | told, the end | the core is closed, the end |
 * | served by another process | opening again | – | it is left, with its listener; the end |
 * | opening again | tried again after 1 s | told once, tried again after 1 s | the end |
 */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal, cores } = context;
  // From the beginning, so that an early Ctrl-C closes the core properly.
  const interrupted = new Promise<'interrupted'>((resolve) => void terminal.onInterrupt(() => resolve('interrupted')));
  const input = { port: args.number('port') ?? 0, host: args.text('host') ?? '127.0.0.1' };
  const page: { forget: (() => void) | null; url: string } = { forget: null, url: '' };
  let served = await cores.serve(input, async (url, pid) => {
    page.url = url;
    const told = { url, pid, home: context.home };
    await terminal.out(`${args.flag('json') ? JSON.stringify(told) : url}\n`);
    if (!args.flag('open')) return;
    const { openInBrowser } = await import('./browser.ts');
    page.forget = await openInBrowser(context, url);
  });
  try {
    if (served.hosted === null) {
      terminal.note('Another process hosts the core and this address. When it ends, this one takes its place.');
    }
    for (;;) {
      const gone = served.gone.then(() => 'gone' as const);
      const end = await Promise.race([interrupted, gone, ...(served.hosted === null ? [] : [served.hosted.closed])]);
      if (end !== 'gone') return EXIT.done;
      const { serveAgain } = await import('../core/serve-again.ts');
      const again = await serveAgain(context, { url: page.url, host: input.host }, interrupted);
      if (again === null) return EXIT.done;
      served = again;
    }
  } finally {
    page.forget?.();
    noteLive(context, served.hosted?.atWork() ?? 0);
    await served.close();
  }
}

function noteLive({ terminal }: CommandContext, live: number): void {
  if (live === 0) return;
  const runs = live === 1 ? '1 run goes' : `${live} runs go`;
  terminal.note(`${runs} on without the core; the next start takes up what they do meanwhile.`);
}
