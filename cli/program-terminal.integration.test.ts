import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPty } from '../core/host/terminals/open-pty.ts';
import { plainText } from '../core/kit/terminal-text.ts';
import { BuiltProgram } from '../core/testing/built-program.ts';
import { isAlive } from '../core/testing/core-lab.ts';

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'espalier.mjs');

/** The built program on a terminal of its own; what it shows is read in order. */
class OnTerminal {
  readonly ended: Promise<number>;
  readonly #pty: ReturnType<typeof openPty>;
  #shown = '';
  #read = 0;

  constructor({ git }: BuiltProgram, args: readonly string[], cols: number) {
    const { GIT_DIR: _, ...environment } = git.environment;
    const env = { ...environment, ESPALIER_HOME: git.data };
    const pty = openPty({ shell: process.execPath, args: [PROGRAM, ...args], cwd: git.project, env, cols, rows: 24 });
    this.#pty = pty;
    pty.onData((text) => (this.#shown += text));
    this.ended = new Promise((resolve) => pty.onExit(resolve));
  }

  /** Waits for text after what was read last; answers what was shown up to its end. */
  async sees(text: string): Promise<string> {
    const at = (): number => this.#shown.indexOf(text, this.#read);
    await expect.poll(at, { timeout: 60_000, message: `${text} after ${this.#shown}` }).not.toBe(-1);
    const end = at() + text.length;
    const seen = this.#shown.slice(this.#read, end);
    this.#read = end;
    return seen;
  }

  /** All that was shown, without control characters. */
  get plain(): string {
    return plainText(this.#shown);
  }

  types(text: string): void {
    this.#pty.write(text);
  }
}

const BASH = { tool_call: { name: 'bash', arguments: { command: 'touch allowed; touch again' } } };

test('A1, A2: on a terminal a permission is asked and answered by what is typed, with lines of others above it; end of input leaves it open, for others to answer', async () => {
  await using espalier = await BuiltProgram.open([{ match: { user: 'Ask' }, turns: [BASH, BASH, 'Done.'] }]);
  const wait = 'while [ ! -f go ]; do sleep 0.05; done';
  const file = join(espalier.git.project, 'batch.json');
  writeFileSync(file, JSON.stringify([{ goal: 'Ask me twice' }, { goal: wait, agent: 'command', label: 'other' }]));
  // So narrow that the question takes two rows.
  const shown = new OnTerminal(espalier, ['run', file], 50);
  await shown.sees('deny > ');
  shown.types('what\r');
  await shown.sees('deny > ');
  shown.types('on');
  await shown.sees('on');
  writeFileSync(join(espalier.git.project, 'go'), '');
  await shown.sees('other (');
  // What was typed so far stands below the line again.
  await shown.sees('deny > on');
  shown.types('ce\r');
  await shown.sees('? Run a command');
  expect(existsSync(join(espalier.git.project, 'allowed'))).toBe(true);
  await shown.sees('deny > ');
  shown.types('\u0004');
  const left = await shown.sees(' once|run|set|project|deny');
  const ask = /espalier answer (ask_[0-9a-f]{12})$/.exec(left.replace(/ once\|.*$/s, ''))?.[1] ?? '';
  expect(await espalier.run(['answer', ask, 'Once'])).toMatchObject({ status: 0, lines: [`${ask}: once`] });
  expect(await shown.ended).toBe(0);
  expect(shown.plain).toMatch(/\[set 1\] completed: 2 completed/);
  expect(shown.plain).not.toMatch(/Answered by/);
}, 120_000);

test('C3, cli.md: Ctrl-C at a question stops the run, a second one kills what is below it though it has minutes to end', async () => {
  const child = { goal: 'trap "" TERM; echo $$ > deaf; while :; do sleep 0.1; done', agent: 'command' };
  const delegate = { tool_call: { name: 'delegate_task', arguments: { wait: true, tasks: [child] } } };
  await using espalier = await BuiltProgram.open(
    [
      { match: { user: 'Ask' }, turns: [[{ text: 'Before.' }, BASH], 'Done.'] },
      { match: { user: 'Nest' }, turns: [delegate, 'Done.'] },
    ],
    { limits: { stopGraceSeconds: 600 } },
  );
  const asked = new OnTerminal(espalier, ['prompt', 'Ask me'], 120);
  await asked.sees('deny > ');
  asked.types('\u0003');
  await asked.sees('Stopping; Ctrl-C again kills.');
  expect(await asked.ended).toBe(130);
  expect(asked.plain).toMatch(/Stopped 1 run \(observed\)\.\s+Before\.\s*$/);

  const nested = new OnTerminal(espalier, ['prompt', 'Nest one', '--permission', 'auto'], 120);
  await nested.sees('▸');
  const pid = join(espalier.git.project, 'deaf');
  await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 60_000 }).toBe(true);
  nested.types('\u0003');
  await nested.sees('Stopping; Ctrl-C again kills.');
  nested.types('\u0003');
  await nested.sees('Killing; Ctrl-C again leaves at once.');
  expect(await nested.ended).toBe(130);
  expect(nested.plain).toMatch(/■ \[set 1\] trap "" TERM.*\n\s*Stopped 2 runs \(observed\)\./);
  // No core is left that goes on with anything: everything below has ended as well.
  const states = JSON.parse((await espalier.run(['list', '--json'])).out) as { runs: { state: string }[] }[];
  expect(states.flatMap(({ runs }) => runs.map(({ state }) => state))).toEqual(['ended', 'ended', 'ended']);
  expect(await isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false);
}, 120_000);
