import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetResult } from '../protocol/result-entry.ts';
import { startScriptedModel, type ScriptedModel } from '../scripted-model/scripted-model.ts';
import type { ConversationInput } from '../scripted-model/script-input.ts';
import { GitFixture } from '../workspace/worktrees/git-fixture.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'espalier.mjs');

/** What a command printed, and how it ended. */
export interface Printed {
  readonly status: number | null;
  readonly out: string;
  /** Lines of the standard error. */
  readonly lines: readonly string[];
}

/**
 * The built `espalier` on a data folder and a project of its own, with a scripted model: what users start, bundles and all. Needs `npm run build`;
 * dispose it after the test.
 */
export class BuiltProgram implements AsyncDisposable {
  readonly git = GitFixture.withCommit();
  readonly model: ScriptedModel;

  private constructor(model: ScriptedModel) {
    this.model = model;
  }

  /** With a model that answers these conversations, at $1 and $10 per million tokens. */
  static async open(conversations: ConversationInput[] = [{ turns: ['Done.'] }], more: object = {}) {
    const opened = new BuiltProgram(await startScriptedModel({ script: { conversations } }));
    const models = { 'scripted-model': { contextWindow: 200_000, price: { input: 1, output: 10 } } };
    const provider = { kind: 'anthropic', baseUrl: `${opened.model.url}/v1`, models };
    opened.write('settings.json', {
      version: 1,
      defaultModel: 'scripted/scripted-model',
      providers: { scripted: provider },
      ...more,
    });
    return opened;
  }

  /** Writes a file of the data folder. */
  write(name: string, content: object): void {
    writeFileSync(join(this.git.data, name), JSON.stringify(content), { mode: 0o600 });
  }

  /** Runs a command to its end; `line` hears each line of its standard error, and may send it a signal. `more`: variables in place of the usual ones. */
  async run(
    args: readonly string[],
    stdin = '',
    line: (text: string, signal: (name: NodeJS.Signals) => void) => void = () => undefined,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Printed> {
    return this.#spawn(process.execPath, [PROGRAM, ...args], stdin, line, more);
  }

  /** Runs a script of the shell, in which `espalier` is the program; its folder is the project. */
  script(text: string): Promise<Printed> {
    const program = `espalier() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
    return this.#spawn('/bin/sh', ['-c', `${program}\n${text}`], '', () => undefined, {});
  }

  async #spawn(
    file: string,
    args: readonly string[],
    stdin: string,
    line: (text: string, signal: (name: NodeJS.Signals) => void) => void,
    more: Readonly<Record<string, string>>,
  ): Promise<Printed> {
    const { GIT_DIR: _, ...environment } = this.git.environment;
    const child = spawn(file, args, {
      cwd: this.git.project,
      env: { ...environment, ESPALIER_HOME: this.git.data, ...more },
      stdio: 'pipe',
    });
    child.stdin.end(stdin);
    let [out, err] = ['', ''];
    let told = 0;
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8');
      const whole = err.split('\n').slice(0, -1);
      for (const text of whole.slice(told)) line(text, (name) => child.kill(name));
      told = whole.length;
    });
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, out, lines: err.split('\n').filter((text) => text !== '') };
  }

  /** Runs a batch from the standard input; `result` is what `--json` printed. */
  async batch(batch: unknown, ...options: string[]): Promise<Printed & { result: SetResult }> {
    const printed = await this.run(['run', '-', '--json', ...options], JSON.stringify(batch));
    if (printed.out === '') throw new Error(printed.lines.join('\n'));
    return { ...printed, result: SetResult.parse(JSON.parse(printed.out)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    this.git.remove();
  }
}
