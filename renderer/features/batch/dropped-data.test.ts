import { describe, expect, test } from 'vitest';
import { classify, couldTake, readTransfer, type TransferLike } from './dropped-data.ts';
import { dropLine, dropPlace } from './drop-place.ts';
import { decode, readFileText, sizeInWords } from './file-text.ts';

const item = (name: string, folder = false) => ({ file: name, name, folder, path: '' });

describe('what was dropped', () => {
  test('folders and files are told apart, whatever their names', () => {
    const names = ['a b.md', '"quoted".yaml', '😀\nnew line.txt', `${'n'.repeat(300)}.json`];
    const dropped = classify([...names.map((name) => item(name)), item('src', true)], '');
    expect(dropped.files.map(({ name }) => name)).toEqual(names);
    expect(dropped.folders.map(({ name }) => name)).toEqual(['src']);
    expect(dropped.text).toBeNull();
  });

  test('a text beside files is only their names', () => {
    expect(classify([item('a.md')], 'file:///a.md').text).toBeNull();
    expect(classify([], '- one\n- two').text).toBe('- one\n- two');
    expect(classify([], ' \n').text).toBeNull();
  });

  test('reads items while the event lasts; the desktop tells paths', () => {
    const file = new File(['x'], 'src');
    const transfer: TransferLike = {
      items: [
        { kind: 'file', getAsFile: () => file, webkitGetAsEntry: () => ({ isDirectory: true }) },
        { kind: 'string', getAsFile: () => null },
        { kind: 'file', getAsFile: () => null },
      ],
      getData: () => '',
    };
    expect(readTransfer(transfer, () => '/home/me/src').folders).toEqual([
      { file, name: 'src', folder: true, path: '/home/me/src' },
    ]);
    expect(readTransfer(transfer, null).folders[0]?.path).toBe('');
  });

  test('a field takes a text itself, but no file', () => {
    expect(couldTake(['Files'], true)).toBe(true);
    expect(couldTake(['text/plain'], true)).toBe(false);
    expect(couldTake(['text/plain'], false)).toBe(true);
    expect(couldTake(['text/html'], false)).toBe(false);
  });
});

describe('a file as text', () => {
  const bytes = (...list: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(list);

  test('UTF-8 and UTF-16 are text, with or without a byte order mark', () => {
    expect(decode(new TextEncoder().encode('– é 😀'))).toBe('– é 😀');
    expect(decode(bytes(0xff, 0xfe, 0x61, 0, 0x62, 0))).toBe('ab');
    expect(decode(bytes(0xfe, 0xff, 0, 0x61))).toBe('a');
  });

  test('a picture and a NUL are not', () => {
    expect(decode(bytes(137, 80, 78, 71))).toBeNull();
    expect(decode(bytes(0x61, 0, 0x62))).toBeNull();
  });

  test('over 16 MiB a file is refused unread (S5)', async () => {
    const unread = { size: 16 * 1024 * 1024 + 1, arrayBuffer: () => Promise.reject(new Error('was read')) };
    const refused = await readFileText(unread);
    expect(refused.type === 'refused' && refused.why).toMatch(/16 MB/);
    expect((await readFileText(new File(['- one'], 'a.md'))).type).toBe('text');
  });

  test('what cannot be read, is empty or binary says why', async () => {
    const broken = { size: 3, arrayBuffer: () => Promise.reject(new Error('gone')) };
    expect(await readFileText(broken)).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('gone') as unknown,
    });
    expect((await readFileText(new File([' \n'], 'a'))).type).toBe('refused');
    expect((await readFileText(new File([bytes(255, 0, 1)], 'a.png'))).type).toBe('refused');
  });

  test.each([
    [12, '12 bytes'],
    [2048, '2 kB'],
    [16 * 1024 * 1024, '16 MB'],
  ])('%i → %s', (size, words) => {
    expect(sizeInWords(size)).toBe(words);
  });
});

describe('where a dragged row is let go', () => {
  const spans = [0, 50, 100, 150].map((start, place) => ({ key: `t${place}`, start, end: start + 50 }));

  test.each([
    [0, 20, 0],
    [0, 30, 1],
    [0, 999, 3],
    [3, -30, 2],
    [3, -999, 0],
    [1, 0, 1],
    [9, 10, 9],
  ])('row %i by %i px → place %i', (from, by, to) => {
    expect(dropPlace(spans, from, by)).toBe(to);
  });

  test('the line is drawn at the far edge of that place, and not at all where nothing changes', () => {
    expect(dropLine(spans, 0, 2)).toBe(150);
    expect(dropLine(spans, 3, 1)).toBe(50);
    expect(dropLine(spans, 1, 1)).toBeNull();
  });
});
