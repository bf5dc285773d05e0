import { expect, test } from 'vitest';
import { userAgentFolders } from './agent-folders.ts';
import { editAgentText } from './edit-text.ts';
import { parseAgent, reviewAgent } from './parse-agent.ts';

const KNOWN = [
  'read',
  'ls',
  'glob',
  'grep',
  'edit',
  'write',
  'bash',
  'bash_output',
  'bash_list',
  'bash_kill',
  'delegate_task',
];

const parse = (text: string, path = '/p/.claude/agents/reviewer.md') =>
  parseAgent(text, { source: 'project', path, knownTools: KNOWN });

async function parsed(text: string) {
  const read = await parse(text);
  if (!read.ok || read.value === null) throw new Error(read.ok ? 'no definition' : read.error);
  return read.value;
}

const faultOf = async (text: string) => {
  const read = await parse(text);
  return read.ok ? null : read.error;
};

test('K3: a definition of Claude Code is taken over: names of fields, tools, modes and the instructions below', async () => {
  const { agent, warnings } = await parsed(`---
name: reviewer
description: Reviews changes
tools: Read, Grep, Bash
disallowedTools: [Write]
permissionMode: acceptEdits
maxTurns: 12
mcpServers: [docs]
skills: a, b
isolation: worktree
color: cyan
model: inherit
---

Read all of it.
`);
  expect(agent).toEqual({
    id: 'reviewer',
    runner: 'builtin',
    source: 'project',
    path: '/p/.claude/agents/reviewer.md',
    description: 'Reviews changes',
    tools: ['read', 'grep', 'bash', 'bash_output', 'bash_list', 'bash_kill', 'report_result'],
    disallowed_tools: ['write'],
    permission: 'edit',
    limits: { max_turns: 12 },
    mcp_servers: ['docs'],
    skills: ['a', 'b'],
    isolation: 'worktree',
    color: 'cyan',
    prompt: 'Read all of it.',
  });
  expect(warnings).toEqual([]);
});

test('a runner may be the name of a known agent, whose own names of models are kept', async () => {
  const { agent } = await parsed('---\ndescription: d\nrunner: claude-cli\nmodel: sonnet\n---\n');
  expect(agent).toMatchObject({ runner: 'cli', adapter: 'claude-cli', model: 'sonnet', id: 'reviewer' });
});

test('what does nothing here is told: unknown keys, keys of others, tools and models that we do not have', async () => {
  const { agent, warnings } = await parsed(
    '---\ndescription: d\ntols: Read\nhooks: {}\ntools: [Read, WebSearch, "Bash(git:*)"]\nmodel: opus\n---\n',
  );
  expect(agent.tools).toEqual(['read', 'report_result']);
  expect(agent.model).toBeUndefined();
  expect(warnings).toEqual([
    '"tols" is unknown here and does nothing.',
    '"hooks" does nothing here.',
    'There is no tool "WebSearch" here; it is left out.',
    '"Bash(git:*)" cannot be kept to here; it is left out.',
    'The model "opus" is not named as <provider>/<model>; the default model is used.',
  ]);
});

test('K3: what cannot be kept to never allows more: a narrow denial denies the whole tool, a faulty ceiling is no definition', async () => {
  const { agent } = await parsed('---\ndescription: d\ndisallowed-tools: "Bash(rm -rf *)"\n---\n');
  expect(agent.disallowed_tools).toEqual(['bash', 'bash_output', 'bash_list', 'bash_kill']);
  expect(await faultOf('---\ndescription: d\ntools: {a: 1}\n---\n')).toBe('"tools" must be a list of names.');
  expect(await faultOf('---\ndescription: d\npermissionMode: all\n---\n')).toContain('must be plan, ask, edit or auto');
  expect(await faultOf('---\ndescription: d\nmax_turns: -1\n---\n')).toContain('"max_turns" must be');
  expect(await faultOf('---\nname: "../x"\n---\n')).toContain('"name" must be');
});

test('front matter that is no YAML is read line by line where that is plain, and is told', async () => {
  const { agent, warnings } = await parsed(
    '---\nname: helper\ndescription: Use it when: asked. Examples: <x>: y\ntools:\n  - Read\n  - Grep\n---\nGo.',
  );
  expect(agent).toMatchObject({ id: 'helper', description: 'Use it when: asked. Examples: <x>: y' });
  expect(agent.tools).toEqual(['read', 'grep', 'report_result']);
  expect(warnings).toEqual([expect.stringContaining('line by line')]);
  expect(await faultOf('---\nname: [\n  {\n---\n')).toContain('no YAML');
});

test('a text without front matter is no definition', async () => {
  expect(await parse('# Notes\n')).toEqual({ ok: true, value: null });
});

test('a text that is edited is reviewed field by field: faults and unknown keys stand at the field they belong to', async () => {
  const origin = { source: 'user' as const, path: '/u/agents/reviewer.md', knownTools: ['read', 'report_result'] };
  const text = '---\ntols: Read\npermissionMode: all\ntools: [Read, Fly]\n---\nRead.';
  const review = await reviewAgent(text, origin);
  expect(review).toMatchObject({
    agent: null,
    body: 'Read.',
    fault: expect.stringContaining('permissionMode') as string,
  });
  expect(review.fields.map(({ name, field, fault }) => [name, field, fault])).toEqual([
    ['tols', null, null],
    ['permissionMode', 'permission', 'must be plan, ask, edit or auto'],
    ['tools', 'tools', null],
  ]);
  expect(review.fields.map(({ warnings }) => warnings.length)).toEqual([1, 0, 1]);
  const mended = await reviewAgent(text.replace('all', 'ask'), origin);
  expect(mended).toMatchObject({ fault: null, agent: { permission: 'ask', id: 'reviewer' } });
  expect(mended.warnings).toEqual(['It has no description: nobody can tell when to choose it.']);
  expect(await reviewAgent('# Notes', origin)).toMatchObject({
    fault: expect.stringContaining('front matter') as string,
  });
});

test('a form changes its fields only: comments, spelling and order stay', async () => {
  const text = '---\n# mine\nname: reviewer\nhooks: {a: 1}\npermissionMode: plan # safe\nmaxTurns: 3\n---\n\nRead.\n';
  const set = { permission: 'ask', max_turns: null, tools: ['read', 'grep'], description: 'It: reads' };
  expect(await editAgentText(text, { set, drop: ['hooks'] })).toEqual({
    ok: true,
    value:
      '---\n# mine\nname: reviewer\npermissionMode: ask # safe\ntools: [read, grep]\ndescription: "It: reads"\n---\n\nRead.\n',
  });
  const fresh = await editAgentText('', { set: { name: 'helper' }, body: 'Help.' });
  expect(fresh).toEqual({ ok: true, value: '---\nname: helper\n---\n\nHelp.\n' });
  expect(await editAgentText('---\nname: [\n---\n', { set: { name: 'x' } })).toMatchObject({ ok: false });
});

test('a data folder that is a folder of agents of the user too is read once', () => {
  const folders = ['/h/.espalier/agents', '/h/.claude/agents', '/h/.agents/agents'];
  expect(userAgentFolders('/h/.espalier', { HOME: '/h' })).toEqual(folders);
  expect(userAgentFolders('/data', { HOME: '/h' })).toEqual(['/data/agents', ...folders]);
});
