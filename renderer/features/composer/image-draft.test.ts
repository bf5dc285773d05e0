import { expect, test } from 'vitest';
import { onlyImages } from '../../app/image-files.ts';
import { imagesIn } from './image-draft.ts';

test('images of a draft are read back; what is no such list is none', () => {
  const image = { path: '/a.png', name: 'a.png', bytes: 3 };
  expect(imagesIn(JSON.stringify([image, { path: 3 }, null]))).toEqual([image]);
  expect(['', '{', '{"path":"x"}', 'null'].map(imagesIn)).toEqual([[], [], [], []]);
});

test('only images are for the composer: with another file beside them nothing is', () => {
  const png = new File(['x'], 'a.png', { type: 'image/png' });
  const text = new File(['x'], 'a.md', { type: 'text/markdown' });
  expect(onlyImages([png])).toEqual([png]);
  expect(onlyImages([png, text])).toBeNull();
  expect(onlyImages([])).toBeNull();
});
