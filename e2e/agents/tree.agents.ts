import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ConversationInput } from '../../core/scripted-model/script-input.ts';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { installRealAgents, realProgram } from '../../core/testing/real-agents.ts';

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

it('a real agent delegates a set of three to three runners through our server, and the tree has them all', async () => {
  const home = mkdtempSync(join(tmpdir(), 'espalier-homes-'));
  const tasks = [
    { goal: 'echo one', agent: 'command' },
    { goal: 'Say what two is, please', agent: 'general' },
    { goal: 'Say what three is, please', agent: 'my-codex' },
  ];
  // The one that gives away has the goals of the others in its call: it stands first.
  const conversations: ConversationInput[] = [
    {
      match: { any: 'Give it away' },
      turns: [{ tool_call: { name: 'delegate_task', arguments: { tasks } } }, 'All three are back.'],
    },
    { match: { any: 'what two is' }, turns: ['It is two.'] },
    { match: { any: 'what three is' }, turns: ['It is three.'] },
  ];
  const settings = (url: string): object => {
    const agent = (name: 'claude' | 'codex'): object => {
      const { command, args, env } = realProgram(name, folder, join(home, name), url);
      return { runner: 'cli', adapter: `${name}-cli`, command, args, env };
    };
    return { agents: { 'my-claude': agent('claude'), 'my-codex': agent('codex') } };
  };
  {
    await using lab = await ModelLab.open(conversations, settings);
    const { run_ids } = await lab.dispatch([{ goal: 'Give it away, all of it', agent: 'my-claude' }]);
    const row = await lab.lab.rowWhen(run_ids[0] ?? '', 'the parent to end', ({ state }) => state === 'ended');
    expect(row).toMatchObject({ outcome: 'completed' });
    const told = JSON.stringify(lab.model.requests.map(({ body }) => body));
    for (const answer of ['one', 'It is two.', 'It is three.']) expect(told).toContain(answer);
  }
  rmSync(home, { recursive: true, force: true });
});
