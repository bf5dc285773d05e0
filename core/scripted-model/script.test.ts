import { expect, it } from 'vitest';
import { compileScript, loadScript, parseScript } from './script.ts';

const problemsOf = (turn: unknown): string[] => {
  const compiled = compileScript({ conversations: [{ turns: [turn] }] });
  return compiled.ok ? [] : compiled.error.problems.map((problem) => `${problem.at}: ${problem.message}`);
};

it('names the place of each problem, all at once', () => {
  const compiled = compileScript(
    {
      conversations: [
        { turns: [[{ text: 1 }]], repeat: true },
        { match: { user: '(' }, turns: ['ok'] },
      ],
    },
    'demo.yaml',
  );
  expect(compiled.ok ? '' : compiled.error.message.split('\n')).toEqual([
    'demo.yaml:',
    expect.stringMatching(/^conversations\[0\]\.turns\[0\]\[0\]\.text: .*expected string/),
    expect.stringMatching(/^conversations\[0\]: .*repeat/),
    expect.stringMatching(/^conversations\[1\]\.match\.user: not a regular expression/),
  ]);
});

it('speaks of the kind of step that was meant, and of no other', () => {
  expect(problemsOf([{ txt: 'hello' }])).toEqual([expect.stringContaining('this one has txt')]);
  expect(problemsOf([{ text: 'a', reasoning: 'b' }])).toEqual([expect.stringContaining('has both text and reasoning')]);
  expect(problemsOf([{ text: 'a', chunk: 3 }])).toEqual([expect.stringMatching(/turns\[0\]\[0\]: .*chunk/)]);
  expect(problemsOf([{ tool_call: { name: 'read', arguments: {}, raw_arguments: '' } }])).toEqual([
    expect.stringContaining('exclude each other'),
  ]);
  expect(problemsOf([{ text: 'a', when: {} }])).toEqual([expect.stringContaining('an empty condition')]);
});

it('refuses a fault after content, whose status would have been sent already', () => {
  expect(problemsOf([{ text: 'a' }, { fault: { status: 500 } }])).toEqual([
    expect.stringContaining('a fault comes before'),
  ]);
  expect(problemsOf([{ delay_ms: 5 }, { fault: { status: 500 } }, { text: 'a' }])).toEqual([]);
});

it('reads YAML with anchors and JSON alike', () => {
  const yaml = parseScript('conversations:\n  - turns:\n      - &t { text: hello }\n      - [*t, { stop: end }]\n');
  const json = parseScript('{"conversations":[{"turns":[{"text":"hello"},[{"text":"hello"},{"stop":"end"}]]}]}');
  expect(yaml.ok && yaml.value).toEqual(json.ok && json.value);
});

it('says where text is no YAML', () => {
  const parsed = parseScript('conversations: [', 'broken.yaml');
  expect(parsed.ok ? undefined : [parsed.error.code, parsed.error.message]).toEqual([
    'not_parsed',
    expect.stringMatching(/^broken\.yaml: .*line 1/s),
  ]);
});

it('says which file cannot be read', async () => {
  const loaded = await loadScript('/nowhere/script.yaml');
  expect(loaded.ok ? undefined : loaded.error).toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('/nowhere/script.yaml') as unknown,
  });
});
