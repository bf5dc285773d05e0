import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imageFolder, saveImage } from './images.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'espalier-images-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const save = (name: string, bytes: Buffer) =>
  saveImage(home, { project_id: 'proj_1', name, base64: bytes.toString('base64') });

test('an image becomes a private file of its own, whatever its name, also twice', async () => {
  const names = [
    'shot.png',
    'shot.png',
    '../../../etc/passwd',
    '…/ „odd“ \n 🍎.PNG',
    'x'.repeat(300),
    '',
    'C:\\a\\b.gif',
  ];
  const paths = new Set<string>();
  for (const name of names) {
    const saved = await save(name, PNG);
    if (!saved.ok) throw new Error(saved.error.message);
    const { path, bytes, media_type } = saved.value;
    expect({ bytes, media_type, folder: dirname(path) }).toEqual({
      bytes: PNG.length,
      media_type: 'image/png',
      folder: imageFolder(home, 'proj_1'),
    });
    expect(basename(path)).toMatch(/^[0-9a-f]{12}-[\p{L}\p{N}-]{1,60}\.png$/u);
    expect(readFileSync(path).equals(PNG)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    paths.add(path);
  }
  expect(paths.size).toBe(names.length);
  expect(statSync(imageFolder(home, 'proj_1')).mode & 0o777).toBe(0o700);
});

test('what is no image by its bytes, too large, or no base64 is refused and leaves nothing', async () => {
  const svg = Buffer.from('<svg onload="alert(1)"></svg>');
  const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
  for (const [name, bytes] of [
    ['a.png', svg],
    ['b.png', large],
    ['c.png', Buffer.from('%PDF-1.7')],
  ] as const)
    // prettier-ignore
    expect(await save(name, bytes)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await saveImage(home, { project_id: 'proj_1', name: 'd.png', base64: 'no base64!' })).toMatchObject({
    ok: false,
  });
  expect(readdirSync(home)).toEqual([]);
});
