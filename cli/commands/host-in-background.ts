import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';

/** A core in the background ends after so long without work and clients (cli.md). */
const IDLE_MS = 60_000;
const LOOK_MS = 1_000;

/** Hosts the core until nothing is at work and nobody is connected any more; ends at once if another core runs. */
export async function run({ cores, terminal, clock }: CommandContext, _: ParsedArguments): Promise<ExitStatus> {
  const ended = Promise.withResolvers<void>();
  terminal.onInterrupt(() => ended.resolve());
  const access = await cores.open({ attended: true, work: true });
  const { hosted } = access;
  if (hosted !== null) {
    let idleSince = clock.monotonic();
    const cancel = clock.every(LOOK_MS, () => {
      if (hosted.atWork() > 0 || hosted.clients() > 0) idleSince = clock.monotonic();
      else if (clock.monotonic() - idleSince >= IDLE_MS) ended.resolve();
    });
    await ended.promise;
    cancel();
  }
  await access.close();
  return EXIT.done;
}
