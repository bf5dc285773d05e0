import { expect, it } from 'vitest';
import { MODEL_KINDS, RunLab, type ModelStep } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { runBuiltin } from '../run.ts';
import { TEST_RUN_ID } from '../../../testing/test-run.ts';

const write = (raw_arguments: string, id?: string): ModelStep => ({
  tool_call: { name: 'write', raw_arguments, ...(id === undefined ? {} : { id }) },
});

function calls(port: ScriptedPort) {
  return port.entries.flatMap(({ meta, text }) => (meta.type === 'tool_call' ? [{ ...meta, text }] : []));
}

it.each([
  ['B09: cut inside a string', '{"path":"a.txt","content":"line1\\nline2', 'cut off'],
  ['B09: nothing at all', '', '"path" is missing'],
  ['B09: a list', '[]', 'one JSON object'],
  ['B09: a text', '"text"', 'one JSON object'],
  ['B09: something after the object', '{"path":"a.txt","content":"x"} and so on', 'not valid JSON'],
  ['B09: a raw line end in a string', '{"path":"a.txt","content":"x\ny"}', 'not valid JSON'],
  ['B19: quotes that are not escaped', '{"path":"a.md","content":"say "hi""}', 'not valid JSON'],
])('%s → not executed, an error the model can act on, the raw text kept', async (_name, raw, said) => {
  await using lab = await RunLab.open([[write(raw)], 'Understood.']);
  const port = new ScriptedPort();
  const { report } = await lab.run(runBuiltin, port);
  expect(lab.read('a.txt') ?? lab.read('a.md')).toBeNull();
  // Anthropic's dialect has no empty text: a call without arguments is an empty object there.
  expect(calls(port)).toMatchObject([{ status: 'refused', arguments: raw === '' ? '{}' : raw }]);
  expect(calls(port)[0]?.text).toContain(said);
  expect(report).toMatchObject({ answer: 'Understood.', files_written: [], ended_on_tool_error: false });
});

// In Gemini's dialect arguments are an object on the wire, so they cannot come cut.
const CUTTABLE = MODEL_KINDS.filter((kind) => kind !== 'google');

it.each(CUTTABLE)(
  'B09: of three calls the cut one is refused, its siblings run, each gets one result (%s)',
  async (kind) => {
    const good = (path: string): ModelStep => write(JSON.stringify({ path, content: 'x' }), `call_${path}`);
    await using lab = await RunLab.open([
      [good('a.txt'), write('{"path":"b.txt","content":"x', 'call_b.txt'), good('c.txt'), { stop: 'max_tokens' }],
      'Done.',
    ]);
    await lab.run(runBuiltin, undefined, { models: [lab.bundle(kind)] });
    expect([lab.read('a.txt'), lab.read('b.txt'), lab.read('c.txt')]).toEqual(['x', null, 'x']);
    const results = lab.model.requests[1]?.request.texts.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(3);
    expect(results[1]?.text).toMatch(/cut/);
  },
);

it('an unknown tool and wrong fields are errors that name what there is', async () => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'reed', arguments: {} } }, { tool_call: { name: 'read', arguments: { file: 'a' } } }],
    'Done.',
  ]);
  const port = new ScriptedPort();
  await lab.run(runBuiltin, port);
  const [unknown, wrong] = calls(port);
  expect(unknown?.text).toContain('no tool "reed"');
  expect(unknown?.text).toContain('read, ls, glob, grep');
  expect(wrong?.text).toContain('"path" is missing');
});

it('R4: consecutive reads run at once, results come in the order of the calls', async () => {
  const wait = (marker: string, other: string): ModelStep => ({
    tool_call: { name: 'bash_output', arguments: { id: marker, wait_seconds: 1 }, id: other },
  });
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'read', arguments: { path: 'big.txt' } } }, { tool_call: { name: 'ls', arguments: {} } }],
    [
      wait('bg_1', 'x'),
      write(JSON.stringify({ path: 'b.txt', content: '1' })),
      write(JSON.stringify({ path: 'b.txt', content: '2' })),
    ],
    'Done.',
  ]);
  lab.write('big.txt', 'x\n'.repeat(20_000));
  const running: string[] = [];
  let most = 0;
  const port = new ScriptedPort({
    onEntry: ({ meta, ended }) => {
      if (meta.type !== 'tool_call') return;
      if (meta.status === 'running') running.push(meta.name);
      if (ended && running.includes(meta.name)) running.splice(running.indexOf(meta.name), 1);
      most = Math.max(most, running.length);
    },
  });
  await lab.run(runBuiltin, port);
  expect(most).toBe(2);
  expect(lab.read('b.txt')).toBe('2');
  expect(calls(port).map(({ name }) => name)).toEqual(['read', 'ls', 'bash_output', 'write', 'write']);
});

it('case 16: the last call failed and nothing was said after → told as a fact', async () => {
  const fail = { tool_call: { name: 'read', arguments: { path: 'missing.txt' } } };
  await using silent = await RunLab.open([[fail], [{ text: ' \n' }]]);
  expect((await silent.run(runBuiltin)).report).toMatchObject({ ended_on_tool_error: true, error: null });
  await using spoken = await RunLab.open([[fail], 'It is missing.']);
  expect((await spoken.run(runBuiltin)).report).toMatchObject({ ended_on_tool_error: false, answer: 'It is missing.' });
});

it('a tool list and the permission mode decide what is offered (K3, A1)', async () => {
  const names = async (more: Parameters<RunLab['run']>[2]): Promise<string[]> => {
    await using lab = await RunLab.open(['Done.']);
    await lab.run(runBuiltin, undefined, more);
    return (lab.model.requests[0]?.body['tools'] as { name: string }[] | undefined)?.map(({ name }) => name) ?? [];
  };
  const delegate = { description: 'Delegates.', wait_default: true };
  const explorer = { id: 'explorer', runner: 'builtin', description: '', source: 'builtin' } as const;
  expect(await names({ agent: { ...explorer, tools: ['read', 'grep'] }, delegate })).toEqual(['read', 'grep']);
  expect(await names({ permission: 'plan', delegate })).toEqual(['read', 'ls', 'glob', 'grep', 'delegate_task']);
  expect(await names({ tools: [] })).toEqual([]);
  expect(await names({ tools: ['bash'] })).toEqual(['bash', 'bash_output', 'bash_list', 'bash_kill']);
  expect(await names({ agent: { ...explorer, disallowed_tools: ['bash', 'write'] } })).not.toContain('bash_kill');
  expect(await names({ tools: ['read'], output_schema: { type: 'object' } })).toEqual(['read', 'report_result']);
});

it('A1: in ask mode an edit asks with its diff, a denial reaches the model, and what is remembered asks no more', async () => {
  const edit = (from: string, to: string): ModelStep => ({
    tool_call: { name: 'edit', arguments: { path: 'a.txt', old_string: from, new_string: to } },
  });
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'bash', arguments: { command: 'touch made' } } }],
    [edit('one', 'two')],
    [edit('two', 'three')],
    'Done.',
  ]);
  lab.write('a.txt', 'one\n');
  const port = new ScriptedPort({
    onAsk: ({ tool }) =>
      tool === 'bash'
        ? { choice: 'deny', remember: false, note: 'not on this machine' }
        : { choice: 'allow', remember: true, note: null },
  });
  await lab.run(runBuiltin, port, { permission: 'ask' });
  expect(lab.read('made')).toBeNull();
  expect(lab.read('a.txt')).toBe('three\n');
  expect(port.asks).toEqual([
    { kind: 'permission', title: 'Run a command', tool: 'bash', detail: 'touch made', diff: null },
    {
      kind: 'permission',
      title: 'Edit a.txt',
      tool: 'edit',
      detail: 'a.txt',
      diff: expect.stringContaining('+two') as string,
    },
  ]);
  expect(calls(port).map(({ status }) => status)).toEqual(['refused', 'ok', 'ok']);
  expect(lab.bodies[1]).toContain('permission was denied: not on this machine');
});

it('A1: in edit mode edits are free and commands ask', async () => {
  await using lab = await RunLab.open([
    [write('{"path":"a.txt","content":"x"}'), { tool_call: { name: 'bash', arguments: { command: 'true' } } }],
    'Done.',
  ]);
  const port = new ScriptedPort();
  await lab.run(runBuiltin, port, { permission: 'edit' });
  expect(port.asks.map(({ tool }) => tool)).toEqual(['bash']);
});

it('C4: background processes are ended with the run and listed', async () => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'bash', arguments: { command: 'sleep 300', background: true } } }],
    'Left it running.',
  ]);
  const { report } = await lab.run(runBuiltin);
  expect(report.background).toMatchObject([{ command: 'sleep 300' }]);
});

it('K5: tools see the marker and neither our variables nor keys', async () => {
  await using lab = await RunLab.open([[{ tool_call: { name: 'bash', arguments: { command: 'env' } } }], 'Done.']);
  const port = new ScriptedPort();
  await lab.run(runBuiltin, port, {
    environment: { PATH: process.env.PATH ?? '', ESPALIER_HOME: '/x', MY_KEY: 'secret-1', OTHER: 'kept' },
    hidden_variables: ['MY_KEY'],
  });
  const text = calls(port)[0]?.text ?? '';
  expect(text).toContain(`ESPALIER_RUN=${TEST_RUN_ID}`);
  expect(text).toContain('OTHER=kept');
  expect(text).not.toMatch(/ESPALIER_HOME|secret-1/);
});

it('an image that a tool reads is shown to the model', async () => {
  await using lab = await RunLab.open([[{ tool_call: { name: 'read', arguments: { path: 'p.png' } } }], 'A picture.']);
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const { writeFileSync } = await import('node:fs');
  writeFileSync(lab.path('p.png'), Buffer.from(png, 'base64'));
  const { session } = await lab.run(runBuiltin);
  expect(lab.bodies[1]).toContain(png);
  expect(JSON.stringify(session)).not.toContain(png);
});
