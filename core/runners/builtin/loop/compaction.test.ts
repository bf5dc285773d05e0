import { expect, it } from 'vitest';
import type { Message } from '../../../providers/messages/message.ts';
import { fence } from '../../../workspace/fences/fence.ts';
import { compact, sizeOf } from './compaction.ts';

const step = (n: number, size: number, args = '{}'): Message[] => [
  { role: 'assistant', parts: [{ type: 'tool_call', id: `c${n}`, name: 'read', raw_arguments: args }] },
  { role: 'tool', results: [{ id: `c${n}`, name: 'read', text: `head ${n} ${'x'.repeat(size)}`, isError: false }] },
];
const goal: Message = { role: 'user', parts: [{ type: 'text', text: 'The goal.' }] };

function pairs(messages: readonly Message[]): void {
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])) : [],
  );
  const answered = messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ id }) => id) : []));
  expect(answered).toEqual(called);
}

it('leaves messages that fit alone', () => {
  const messages = [goal, ...step(1, 1000)];
  expect(compact(messages, 5000)).toBe(messages);
});

it('shortens the oldest results first and keeps their beginning', () => {
  const messages = [goal, ...step(1, 10_000), ...step(2, 100), ...step(3, 100)];
  const smaller = compact(messages, 2000);
  expect(sizeOf(smaller)).toBeLessThanOrEqual(2000);
  expect(JSON.stringify(smaller[2])).toContain('head 1');
  expect(JSON.stringify(smaller[4])).toBe(JSON.stringify(messages[4]));
  pairs(smaller);
});

it('shortens one result that alone is larger than the target (B15)', () => {
  const smaller = compact([goal, ...step(1, 100_000)], 8000);
  expect(sizeOf(smaller)).toBeLessThanOrEqual(8000);
  pairs(smaller);
});

it('shortens long arguments to something that still is an object', () => {
  const args = JSON.stringify({ content: 'y'.repeat(50_000) });
  const smaller = compact([goal, ...step(1, 10, args), ...step(2, 10)], 3000);
  expect(sizeOf(smaller)).toBeLessThanOrEqual(3000);
  const call = smaller[1]?.role === 'assistant' ? smaller[1].parts[0] : undefined;
  expect(call?.type === 'tool_call' && JSON.parse(call.raw_arguments)).toHaveProperty('removed');
});

it('drops the oldest steps last, keeps the goal and the newest step, and says so once', () => {
  const many = Array.from({ length: 100 }, (_, n) => step(n, 300)).flat();
  const once = compact([goal, ...many], 3000);
  const twice = compact([...once, ...step(200, 300)], 2500);
  expect(sizeOf(twice)).toBeLessThanOrEqual(2500);
  expect(JSON.stringify(twice[0])).toContain('The goal.');
  expect(JSON.stringify(twice).match(/Earlier steps/g)).toHaveLength(1);
  expect(JSON.stringify(twice.at(-1))).toContain('head 200');
  pairs(twice);
});

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const answered: Message = { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] };
const many = (count: number): Message[] => Array.from({ length: count }, (_, n) => step(n, 300)).flat();

it('B15, C5, T1: what a lead or a continued run was told last stays, however many steps came after it', () => {
  const messages = [goal, answered, said('First this.'), answered, said('Now that.'), ...many(60)];
  const smaller = compact(messages, 3000);
  expect(sizeOf(smaller)).toBeLessThanOrEqual(3000);
  const texts = smaller.flatMap((message) =>
    message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  expect(texts).toEqual(['The goal.', expect.stringContaining('Earlier steps'), 'First this.', 'Now that.']);
  expect(JSON.stringify(smaller.at(-1))).toContain('head 59');
  pairs(smaller);
});

it('B15: long messages in between are shortened, the latest last of all; images that tools returned go', () => {
  const image: Message = {
    role: 'user',
    parts: [
      { type: 'text', text: 'The image that read returned:' },
      { type: 'image', mediaType: 'image/png', base64: 'AAAA' },
    ],
  };
  const result = fence('child_answer', 'y'.repeat(9000));
  const messages = [goal, ...many(20), image, said(result), ...many(20), said('Now that.'), ...many(20)];
  const roomy = JSON.stringify(compact(messages, 5000));
  expect(roomy).toContain('characters of this message were removed');
  expect(roomy.match(/data-block/g)).toHaveLength(2);
  expect(roomy).toContain('Now that.');
  expect(roomy).not.toContain('The image that');
  const tight = JSON.stringify(compact(messages, 1200));
  expect(tight).toContain('Now that.');
  expect(tight).not.toContain('yyyy');
});

it('K2: a block of data that is shortened, once and again, is closed still', () => {
  const text = fence('tool_result', 'y'.repeat(5000), { tool: 'read' });
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'c', name: 'read', raw_arguments: '{}' }],
  };
  const messages: Message[] = [
    goal,
    call,
    { role: 'tool', results: [{ id: 'c', name: 'read', text, isError: false }] },
  ];
  for (const target of [2000, 1000, 500]) {
    const [, , answer] = compact(messages, target);
    const shown = answer?.role === 'tool' ? (answer.results[0]?.text ?? '') : '';
    expect(shown).toMatch(/^<data-block [^]*characters of this result were removed[^]*\n<\/data-block>$/);
    expect(shown.match(/data-block/g)).toHaveLength(2);
  }
});
