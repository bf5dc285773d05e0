import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier desktop`: opens the desktop app, with batch files if some are named. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { root, terminal, cwd } = context;
  const binary = electronBinary(root);
  if (binary === null) {
    terminal.note('espalier: Electron is not installed here, so there is no desktop window.');
    terminal.note('`npm start` in the checkout fetches it; `espalier serve --open` shows the same app in the browser.');
    return EXIT.environment;
  }
  const files = args.positionals.map((file) => resolve(cwd, file));
  const child = spawn(binary, [root, ...files], { stdio: 'ignore', detached: true });
  const failed = await new Promise<Error | null>((settle) => {
    child.once('spawn', () => settle(null));
    child.once('error', settle);
  });
  if (failed !== null) {
    terminal.note(`espalier: Electron could not be started: ${failed.message}`);
    return EXIT.environment;
  }
  child.unref();
  return EXIT.done;
}

/** Electron's binary where its own package recorded it, if it was fetched. */
function electronBinary(root: string): string | null {
  const folder = join(root, 'node_modules', 'electron');
  const record = join(folder, 'path.txt');
  if (!existsSync(record)) return null;
  const binary = join(folder, 'dist', readFileSync(record, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}
