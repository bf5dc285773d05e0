import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../protocol/rows.ts';
import type { ConversationInput, StepInput, TurnInput } from '../../scripted-model/script-input.ts';
import { value, type CoreLab } from '../../testing/core-lab.ts';
import { ModelLab } from '../../testing/model-lab.ts';

const CALLER = { client: 'test' };
const AGENT = { agent: 'general' } as const;

function call(name: string, args: Record<string, unknown>): StepInput {
  return { tool_call: { name, arguments: args } };
}

const write = (path: string, content: string): StepInput => call('write', { path, content });
const talk = (...turns: TurnInput[]): ConversationInput => ({ turns });

describe('W1: a run with a model in a worktree', () => {
  test('it edits its own worktree and nothing else; every tool works there', async () => {
    await using talking = await ModelLab.open([
      talk([write('note.txt', 'one\n')], [call('bash', { command: 'pwd; cat note.txt' })], 'Written.'),
    ]);
    const { lab } = talking;
    const before = lab.git.fingerprint();
    const result = await lab.run({ goal: 'Write a note about the project', ...AGENT });
    expect(result).toMatchObject({ status: 'completed', summary: 'Written.', worktree: { kept: true, dirty: true } });
    expect(lab.read(join(result.worktree?.path ?? '', 'note.txt'))).toBe('one\n');
    expect(lab.git.fingerprint()).toBe(before);
    const first = JSON.stringify(talking.model.requests[0]?.body);
    expect(first).toContain('git worktree of your own');
    expect(first).toContain(result.worktree?.path);
  });

  test('K3: what it delegates works where it works; an isolated child begins with what it has committed', async () => {
    const commit = 'git add -A && git -c user.name=A -c user.email=a@example.com commit -qm mine';
    const tasks = [
      { goal: 'cat mine.txt > seen.txt', agent: 'command' },
      { goal: 'cat mine.txt > own.txt', agent: 'command', isolation: 'worktree' },
    ];
    await using talking = await ModelLab.open([
      talk(
        [write('mine.txt', 'mine\n')],
        [call('bash', { command: commit })],
        [call('delegate_task', { tasks })],
        'Done.',
      ),
    ]);
    const { lab } = talking;
    const answer = await lab.dispatch([{ goal: 'Delegate a part of the work', ...AGENT }]);
    const parent = await lab.result(answer);
    expect(parent).toMatchObject({ status: 'completed', worktree: { commits: 1, dirty: true } });
    expect(lab.read(join(parent.worktree?.path ?? '', 'seen.txt'))).toBe('mine\n');
    const { runs } = value(await lab.service.conversations.show({ id: answer.conversation_id }, CALLER));
    const [shared, own] = runs.filter(({ parent_run_id }) => parent_run_id === parent.run_id);
    expect(shared).toMatchObject({ outcome: 'completed', worktree: null });
    expect(own).toMatchObject({ outcome: 'completed', worktree: { state: 'kept', dirty: true, commits: 0 } });
    expect(lab.read(join(own?.worktree?.path ?? '', 'own.txt'))).toBe('mine\n');
    expect(existsSync(join(lab.git.project, 'seen.txt'))).toBe(false);
    // P4: the parent reads where the work is.
    const last = JSON.stringify(talking.model.requests.at(-1)?.body);
    expect(last).toContain(placeOf(own));
  });
});

function placeOf(run: RunRow | undefined): string {
  return `worktree: branch ${run?.worktree?.branch ?? ''} in ${run?.worktree?.path ?? ''}`;
}

describe('C5: a run that continues one with a kept worktree', () => {
  const goOn = async (lab: CoreLab, run_id: string, text: string) => {
    const input = { run_id, text, client_token: `continue-${run_id}` };
    const next = value(await lab.service.runs.continue(input, CALLER));
    const row = await lab.rowWhen(next.run_id, 'its end', ({ state }) => state === 'ended');
    return row;
  };
  const script = (): ConversationInput[] => [
    {
      by: 'requests',
      per: 'conversation',
      turns: [[write('a1.txt', '1\n')], 'First.', [write('a2.txt', '2\n')], 'Second.'],
    },
  ];

  test('it goes on in it, locked for itself; the first run has it no more', async () => {
    await using talking = await ModelLab.open(script());
    const { lab } = talking;
    const first = await lab.run({ goal: 'Write the first file', ...AGENT });
    const second = await goOn(lab, first.run_id, 'Now the second file');
    expect(second).toMatchObject({ outcome: 'completed', worktree: { path: first.worktree?.path, state: 'kept' } });
    expect(lab.read(join(second.worktree?.path ?? '', 'a1.txt'))).toBe('1\n');
    expect(lab.read(join(second.worktree?.path ?? '', 'a2.txt'))).toBe('2\n');
    expect(await lab.row(first.run_id)).toMatchObject({ worktree: { state: 'continued' } });
    const refused = await lab.changes.discard({ run_id: first.run_id, accept_loss: true });
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    const shown = value(await lab.changes.show({ run_id: second.run_id }));
    expect(shown.files.map(({ path }) => path)).toEqual(['a1.txt', 'a2.txt']);
    value(await lab.changes.discard({ run_id: second.run_id, accept_loss: false }));
    expect(lab.git.branches()).toEqual([]);
  });

  test('kept as a branch meanwhile: a new worktree begins with that branch', async () => {
    await using talking = await ModelLab.open(script());
    const { lab } = talking;
    const first = await lab.run({ goal: 'Write the first file', ...AGENT });
    const { commit } = value(await lab.changes.keep({ run_id: first.run_id }));
    const second = await goOn(lab, first.run_id, 'Now the second file');
    expect(second.worktree?.path).not.toBe(first.worktree?.path);
    expect(lab.git.git(['rev-parse', second.worktree?.branch ?? ''])).toBe(commit);
    expect(lab.read(join(second.worktree?.path ?? '', 'a1.txt'))).toBe('1\n');
  });
});

test('W4: without a worktree, the changes of a run are those of its own write and edit calls', async () => {
  const edit = (old_string: string, new_string: string): StepInput =>
    call('edit', { path: 'a.txt', old_string, new_string });
  await using talking = await ModelLab.open([
    talk(
      [write('new.txt', 'one\ntwo\n')],
      [call('read', { path: 'a.txt' })],
      [edit('two', 'TWO')],
      [edit('three', 'THREE')],
      [call('bash', { command: 'echo other > by-a-command.txt' })],
      'Done.',
    ),
  ]);
  const { lab } = talking;
  const { run_id } = await lab.run({ goal: 'Change some of the files', isolation: 'none', ...AGENT });
  const shown = value(await lab.changes.show({ run_id }));
  expect(shown).toMatchObject({ source: 'calls', worktree: null, cut: false });
  expect(shown.files).toEqual([
    { path: 'new.txt', old_path: null, status: 'added', additions: 2, deletions: 0 },
    { path: 'a.txt', old_path: null, status: 'modified', additions: 2, deletions: 2 },
  ]);
  expect(shown.patch).toContain('--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n');
  expect(shown.patch).toMatch(/--- a\/a\.txt\n\+\+\+ b\/a\.txt\n[^]*-two\n\+TWO\n[^]*-three\n\+THREE/);
});
