import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MODEL_KINDS, RunLab } from '../../../testing/run-lab.ts';
import { runBuiltin } from '../run.ts';

/** The smallest PNG: one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** How each dialect wants an image. */
const WANTED: Readonly<Record<(typeof MODEL_KINDS)[number], object>> = {
  anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  openai: { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
  'openai-compatible': { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  google: { inlineData: { mimeType: 'image/png', data: PNG } },
};

const TURNS = [[{ tool_call: { name: 'read', arguments: { path: 'shot.png' } } }], 'I have seen both.'];

/** Objects anywhere in a request that hold the image and nothing smaller that does. */
function imagesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(imagesIn);
  if (inner.length > 0) return inner.every((found) => isPart(found)) ? inner : [value];
  return Object.values(value).some((text) => typeof text === 'string' && text.includes(PNG)) ? [value] : [];
}

const isPart = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('type' in value || 'inlineData' in value) && !('media_type' in value);

async function labWithShot(): Promise<RunLab> {
  const lab = await RunLab.open(TURNS);
  writeFileSync(lab.path('shot.png'), Buffer.from(PNG, 'base64'));
  return lab;
}

it.each(MODEL_KINDS)('images of the task and of read reach the dialect of %s as it wants them', async (kind) => {
  await using lab = await labWithShot();
  const { report } = await lab.run(runBuiltin, undefined, { models: [lab.bundle(kind)], images: ['shot.png'] });
  expect(report).toMatchObject({ answer: 'I have seen both.', error: null });
  const [first, second] = lab.model.requests.map(({ body }) => imagesIn(body));
  expect(first).toMatchObject([WANTED[kind]]);
  expect(second).toMatchObject([WANTED[kind], WANTED[kind]]);
});

it.each(MODEL_KINDS)('a model over %s that takes no images is told of them instead', async (kind) => {
  await using lab = await labWithShot();
  await lab.run(runBuiltin, undefined, { models: [lab.bundle(kind, { images: false })], images: ['shot.png'] });
  expect(lab.bodies.join('\n')).not.toContain(PNG);
  const texts = lab.model.requests[1]?.request.texts.map(({ text }) => text).join('\n') ?? '';
  expect(texts.match(/\[An image \(image\/png\) is here, but the model scripted-model takes no images/g)).toHaveLength(
    2,
  );
});
