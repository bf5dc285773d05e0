import { systemClock } from '../core/kit/clock.ts';
import { systemRandom } from '../core/kit/random.ts';
import { dataFolder } from '../core/host/place/data-folder.ts';
import { packageRoot, packageVersion } from '../core/host/place/package-root.ts';
import { COMMANDS } from './arguments/commands.ts';
import { commandHelp, programHelp } from './arguments/help.ts';
import { parseArguments, type Invocation } from './arguments/parse-arguments.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { systemTerminal } from './terminal/system-terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

const terminal = systemTerminal();

// A fault of ours is no status of a run (1), and its place in the bundle tells nobody anything.
process.on('uncaughtException', (error: unknown) => {
  terminal.note(`espalier: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(EXIT.environment);
});

const root = packageRoot(import.meta.dirname);

// Timers of the core do not keep a process alive; while a command waits for one, this does.
setInterval(() => undefined, 60_000);
process.exitCode = await main(process.argv.slice(2));
// What a command left open (a keep-alive socket, a reader's thread) must not hold the terminal; all output is handed over.
process.exit();

async function main(argv: readonly string[]): Promise<ExitStatus> {
  const parsed = parseArguments(argv, COMMANDS);
  if (parsed.ok) {
    try {
      return await invoke(parsed.value);
    } catch (error) {
      const [{ toFailure }, { tell }] = await Promise.all([
        import('./core/api-failure.ts'),
        import('./core/failure.ts'),
      ]);
      return tell(terminal, toFailure(error));
    }
  }
  const { message, spec } = parsed.error;
  terminal.note(`espalier: ${message}`);
  terminal.note(spec === null ? 'espalier --help lists the commands.' : `espalier ${spec.name} --help tells more.`);
  return EXIT.usage;
}

async function invoke(invocation: Invocation): Promise<ExitStatus> {
  switch (invocation.type) {
    case 'version':
      await terminal.out(`${packageVersion(root)}\n`);
      return EXIT.done;
    case 'help': {
      const { spec, group } = invocation;
      await terminal.out(spec === null ? programHelp(COMMANDS, group) : commandHelp(spec));
      return EXIT.done;
    }
    case 'run': {
      const { spec, args } = invocation;
      const module = await spec.load();
      return module.run(await contextFor(terminal, spec.name), args);
    }
  }
}

/** What only commands need is loaded only for them: help and version answer at once. */
async function contextFor(shown: Terminal, command: string): Promise<CommandContext> {
  const { systemCores } = await import('./core/system-cores.ts');
  const environment = process.env;
  const home = dataFolder(environment);
  const version = packageVersion(root);
  const base = { environment, home, root, version, clock: systemClock, random: systemRandom };
  return {
    ...base,
    terminal: shown,
    // Most commands need none, and do their work also where the folder has been deleted.
    get cwd() {
      return process.cwd();
    },
    cores: systemCores({ ...base, name: `espalier ${command}`, note: (line) => shown.note(line) }),
  };
}
