import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BatchInput } from '../protocol/batch.ts';
import { loadDemo } from './demo.ts';
import type { Demo } from './demo.ts';
import { startScriptedModel } from './scripted-model.ts';
import type { ScriptedModel } from './scripted-model.ts';
import type { PaceInput, StepInput } from './script-input.ts';

interface Task {
  goal: string;
  label?: string;
  permission?: string;
  limits?: { max_turns: number };
}

interface Call {
  id: string;
  name: string;
  arguments: string;
}

interface Reply {
  status: number;
  text: string;
  calls: Call[];
  error: string;
}

const FOLDER = join(import.meta.dirname, '../../assets/demo');

let demo: Demo;
let tasks: Task[];
let project: string;
let server: ScriptedModel;

beforeEach(async () => {
  const loaded = await loadDemo(FOLDER);
  if (!loaded.ok) throw new Error(loaded.error.message);
  demo = loaded.value;
  const batch = BatchInput.parse(parse(await readFile(demo.batchPath, 'utf8')));
  tasks = batch.tasks as Task[];
  project = await mkdtemp(join(tmpdir(), 'demo-'));
  await cp(demo.projectPath, project, { recursive: true });
  server = await startScriptedModel({ script: demo.script, timeScale: 0 });
});

afterEach(async () => {
  await server.close();
  await rm(project, { recursive: true });
});

async function ask(messages: unknown[]): Promise<Reply> {
  const body = JSON.stringify({ model: 'scripted-demo', messages });
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
  const json = (await response.json()) as {
    choices?: { message: { content: string | null; tool_calls?: { id: string; function: Omit<Call, 'id'> }[] } }[];
    error?: { message: string };
  };
  const message = json.choices?.[0]?.message;
  return {
    status: response.status,
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function })),
    error: json.error?.message ?? '',
  };
}

/** The least that each tool has to do for the Demo, on the real files; throws when the call cannot work. */
const TOOLS: Record<string, (args: Record<string, string>) => Promise<string>> = {
  read: ({ path }) => readFile(join(project, path!), 'utf8'),
  ls: async ({ path }) => (await readdir(join(project, path!))).join('\n'),
  glob: async ({ path }) => (await readdir(join(project, path!))).join('\n'),
  grep: async ({ pattern, path }) => {
    const files = await readdir(join(project, path!), { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    );
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => new RegExp(pattern!).test(line))
      .join('\n');
  },
  write: async ({ path, content }) => {
    await mkdir(dirname(join(project, path!)), { recursive: true });
    await writeFile(join(project, path!), content!);
    return 'written';
  },
  edit: async ({ path, old_string, new_string }) => {
    const text = await readFile(join(project, path!), 'utf8');
    expect(text.split(old_string!)).toHaveLength(2);
    await writeFile(
      join(project, path!),
      text.replace(old_string!, () => new_string!),
    );
    return 'edited';
  },
  bash: ({ command }) => {
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout, stderr, status } = spawnSync(command!, {
      cwd: project,
      shell: true,
      encoding: 'utf8',
      env: { ...env, PATH },
    });
    return Promise.resolve(`${stdout}${stderr}exit ${status}`);
  },
};

interface Played {
  turns: Reply[];
  results: { name: string; text: string }[];
  nested: Task[];
}

/** Runs a task as an agent loop would, up to `limit` turns of tools. */
async function run(goal: string, limit = 20): Promise<Played> {
  const messages: unknown[] = [{ role: 'user', content: goal }];
  const played: Played = { turns: [], results: [], nested: [] };
  for (;;) {
    const reply = await ask(messages);
    played.turns.push(reply);
    if (reply.calls.length === 0 || played.turns.length > limit) return played;
    const tool_calls = reply.calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    messages.push({ role: 'assistant', content: reply.text, tool_calls });
    for (const call of reply.calls) {
      const args = JSON.parse(call.arguments) as Record<string, string>;
      if (call.name === 'delegate_task') played.nested.push(...(args as unknown as { tasks: Task[] }).tasks);
      const text = call.name === 'delegate_task' ? '3 completed' : await TOOLS[call.name]!(args);
      played.results.push({ name: call.name, text });
      messages.push({ role: 'tool', tool_call_id: call.id, content: text });
    }
  }
}

const taskOf = (label: string): Task => tasks.find((task) => task.label === label)!;

describe('the batch of the Demo', () => {
  it('has nine tasks with labels that fit, one of which asks for permission and one of which is cut at three turns', () => {
    expect(tasks).toHaveLength(9);
    for (const task of tasks)
      expect([...(task.label ?? '')].length).toSatisfy((length: number) => length > 0 && length <= 40);
    expect(tasks.filter((task) => task.permission === 'ask').map((task) => task.label)).toEqual([
      'Remove the legacy currency code',
    ]);
    expect(tasks.filter((task) => task.limits !== undefined).map((task) => [task.label, task.limits])).toEqual([
      ['Callers of formatPrice', { max_turns: 3 }],
    ]);
  });

  it('finds another conversation for each of its nine goals and the three nested ones', async () => {
    const nested = (await run(taskOf('Audit rounding in three modules').goal)).nested;
    expect(nested).toHaveLength(3);
    for (const task of [...tasks, ...nested]) await ask([{ role: 'user', content: task.goal }]);
    const names = new Set(server.requests.map((entry) => entry.conversation));
    const written = demo.script.conversations.map((conversation) => conversation.name);
    expect([...names].sort()).toEqual(written.filter((name) => name !== 'anything else').sort());
    expect(names.size).toBe(12);
    expect(server.requests.filter((entry) => entry.problem !== undefined)).toEqual([]);
  });
});

describe('a run of the Demo', () => {
  it('is answered whatever it is asked: by what a scripted model can do, also in later turns', async () => {
    const first = { role: 'user', content: 'Please add a login page' };
    const more = [
      { role: 'assistant', content: '…' },
      { role: 'user', content: 'And now?' },
    ];
    for (const messages of [[first], [first, ...more]]) {
      const { status, text } = await ask(messages);
      expect([status, text]).toEqual([200, expect.stringContaining('I am a scripted model')]);
    }
    const feed = { role: 'user', content: taskOf('Supplier feed import').goal };
    const later = Array.from({ length: 3 }, () => [
      { role: 'assistant', content: '…' },
      { role: 'user', content: 'Go on' },
    ]).flat();
    expect((await ask([feed, ...later])).text).toMatch(/^Noted/);
  });

  it('works on the real project: every tool call succeeds, the mended tests pass, the files are there', async () => {
    const nested = (await run(taskOf('Audit rounding in three modules').goal)).nested;
    for (const task of [...tasks, ...nested]) {
      const played = await run(task.goal);
      expect(played.turns.at(-1)?.text === '', task.label).toBe(task.label === 'Supplier feed import');
      const commands = played.results
        .filter((result) => result.name === 'bash')
        .map((result) => result.text.split('exit ').at(-1));
      // The stock task finds a real bug first.
      expect(commands, task.label).toEqual(
        task.label?.startsWith('Tests for stock') ? ['1', '0'] : commands.map(() => '0'),
      );
    }
    expect(await readdir(join(project, 'docs'))).toEqual([
      'adr-tax-rounding.md',
      'money-migration.md',
      'rounding-audit.md',
    ]);
    expect(await readdir(join(project, 'src/legacy'))).toEqual([]);
    expect(await TOOLS['bash']!({ command: 'node --test' })).toMatch(/pass 12\n[^]*fail 0\n[^]*exit 0$/);
  });

  it('ends one task with the line of a provider error', async () => {
    const last = (await run(taskOf('Supplier feed import').goal)).turns.at(-1);
    expect([last?.status, last?.error]).toEqual([400, 'prompt is too long: 214310 tokens > 200000 maximum']);
  });

  it('still calls tools in the third turn of the cut task, and answers in the wrap-up turn', async () => {
    const { turns } = await run(taskOf('Callers of formatPrice').goal);
    expect(turns.map((turn) => turn.calls.length > 0)).toEqual([true, true, true, false]);
    expect(turns[3]?.text).toContain('out of turns');
  });

  it('says so when the permission is refused or the tests do not pass', async () => {
    const refused = (label: string, turns: number): Promise<Reply> =>
      ask([
        { role: 'user', content: taskOf(label).goal },
        ...Array.from({ length: turns }, () => [
          { role: 'assistant', content: '…' },
          { role: 'tool', tool_call_id: 'x', content: 'Permission denied: nobody answered.' },
        ]).flat(),
      ]);
    expect((await refused('Remove the legacy currency code', 2)).text).toMatch(/^The file is still there/);
    expect((await refused('Cart totals in cents', 3)).text).toContain('did not come out clean');
  });

  it('quotes a steering message in the next answer of every task that has one', async () => {
    const steer = (task: Task, turns: number): Promise<Reply> =>
      ask([
        { role: 'user', content: task.goal },
        ...Array.from({ length: turns }, () => [
          { role: 'assistant', content: '…' },
          { role: 'tool', tool_call_id: 'x', content: 'ok' },
        ]).flat(),
        { role: 'user', content: '<data-block kind="message">\nKeep it\nto one page\n</data-block>' },
      ]);
    for (const label of ['Migration guide', 'Design note: tax rounding', 'Money module', 'Cart totals in cents']) {
      const { turns } = await run(taskOf(label).goal);
      // The first request may have one too: it was said while the run had not begun.
      for (let turn = 0; turn < turns.length; turn += 1) {
        expect((await steer(taskOf(label), turn)).text).toContain('You asked: “Keep it to one page”');
        expect(turns[turn]?.text).not.toContain('You asked');
      }
      expect((await steer(taskOf(label), turns.length)).text).toMatch(/^Noted: “Keep it to one page”/);
    }
  });

  it('lasts about a minute: two runs go on for more than 45 seconds, none for more than 90', () => {
    const seconds = demo.script.conversations.map((conversation) =>
      conversation.turns.flat().reduce((sum, step) => sum + secondsOf(step, conversation), 0),
    );
    expect(seconds.filter((value) => value > 45).length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...seconds)).toBeGreaterThan(60);
    expect(Math.max(...seconds)).toBeLessThan(90);
  });
});

/** How long a step takes by its delays; steps for the bad case only are left out. */
function secondsOf(step: StepInput | string, pace: PaceInput): number {
  if (typeof step === 'string' || step.when?.steered !== undefined || step.unless !== undefined) return 0;
  if ('delay_ms' in step) return step.delay_ms / 1000;
  const { chunk_size, chunk_delay_ms } = { ...demo.script, ...pace, ...step } as Required<PaceInput>;
  return (Math.ceil(streamed(step).length / chunk_size) * chunk_delay_ms) / 1000;
}

function streamed(step: StepInput): string {
  if ('text' in step) return step.text;
  if ('reasoning' in step) return step.reasoning;
  return 'tool_call' in step ? JSON.stringify(step.tool_call.arguments) : '';
}
