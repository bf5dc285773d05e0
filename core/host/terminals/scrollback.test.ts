import { expect, test } from 'vitest';
import { Scrollback } from './scrollback.ts';

test('a reader gets all output in pieces, whatever their size, and characters stay whole', () => {
  const output = new Scrollback(1000);
  output.append('ab😀');
  output.append('cd');
  let read = '';
  for (let from = 0; from < output.end;) {
    const piece = output.read(from, 3);
    read += piece.data;
    from = piece.from + piece.data.length;
  }
  expect(read).toBe('ab😀cd');
});

test('only the last part is kept, and who comes late is told where it begins', () => {
  const output = new Scrollback(100);
  for (let i = 0; i < 1000; i += 1) output.append('0123456789');
  const { from, data } = output.read(0, 10_000);
  expect(data.length).toBeLessThanOrEqual(125);
  expect(from + data.length).toBe(10_000);
  expect(output.read(20_000, 10)).toEqual({ from: 10_000, data: '' });
});

test('a waiting reader is woken by output', async () => {
  const output = new Scrollback(100);
  const changed = output.changed();
  output.append('x');
  await changed;
  expect(output.read(0, 10).data).toBe('x');
});
