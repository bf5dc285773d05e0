import { expect, it } from 'vitest';
import { JsonLines } from './json-lines.ts';

function reader(longest?: number) {
  const values: unknown[] = [];
  const noise: string[] = [];
  const lines = new JsonLines({ value: (value) => values.push(value), noise: (line) => noise.push(line) }, longest);
  return { lines, values, noise };
}

it('T3: a banner before JSON, half lines and an empty line do no harm', () => {
  const { lines, values, noise } = reader();
  lines.push(Buffer.from('Welcome to agent 1.0!\n\n{"a":'));
  lines.push(Buffer.from('1}\r\n{"b":2}'));
  expect(values).toEqual([{ a: 1 }]);
  lines.end();
  expect(values).toEqual([{ a: 1 }, { b: 2 }]);
  expect(noise).toEqual(['Welcome to agent 1.0!']);
});

it('B05: a character that is cut between two chunks comes out whole', () => {
  const { lines, values } = reader();
  const bytes = Buffer.from('{"t":"€ é 日"}\n');
  for (const byte of bytes) lines.push(Buffer.from([byte]));
  expect(values).toEqual([{ t: '€ é 日' }]);
});

it('bytes that are no UTF-8 become U+FFFD, and the line is read', () => {
  const { lines, values } = reader();
  lines.push(Buffer.concat([Buffer.from('{"t":"A'), Buffer.from([0xff, 0xfe]), Buffer.from('B"}\n')]));
  expect(values).toEqual([{ t: 'A��B' }]);
});

it('a line of 16 MB in many pieces is read in linear time', () => {
  const { lines, values } = reader();
  const line = Buffer.from(`{"t":"${'x'.repeat(16 * 1024 * 1024)}"}\n`);
  for (let at = 0; at < line.length; at += 65_536) lines.push(line.subarray(at, at + 65_536));
  expect((values[0] as { t: string }).t).toHaveLength(16 * 1024 * 1024);
});

it('a line that is too long is left out, and the next one is read', () => {
  const { lines, values, noise } = reader(100);
  lines.push(Buffer.from(`{"t":"${'x'.repeat(200)}"}\n{"next":true}\n`));
  expect(values).toEqual([{ next: true }]);
  expect(noise).toEqual([expect.stringContaining('more than 100 bytes')]);
});
