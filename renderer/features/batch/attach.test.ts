import { expect, test } from 'vitest';
import { attachFiles } from './attach.ts';

test('a text is attached with its content behind what was written, in a fence that it cannot close', () => {
  const file = { name: 'a.md', path: '', text: 'x\n```\ny\n' };
  expect(attachFiles('Look at this', [file]).draft).toBe('Look at this\n\na.md:\n````\nx\n```\ny\n````\n\n');
});

test('what is no text, or does not fit into 64 kB, goes by its path, and without one is left out', () => {
  const large = { name: 'big.txt', path: '/p/big.txt', text: 'é'.repeat(33_000) };
  const image = { name: 'a.png', path: '', text: null };
  const { draft, left } = attachFiles('', [large, image]);
  expect(draft).toBe('Files:\n- /p/big.txt\n\n');
  expect(left).toEqual(['a.png']);
});

test('several texts share the room', () => {
  const half = (name: string) => ({ name, path: '', text: 'x'.repeat(40_000) });
  expect(attachFiles('', [half('a'), half('b')]).left).toEqual(['b']);
});
