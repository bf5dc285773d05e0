import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentWith } from '../setup/node.mjs';
import { inRoot } from '../setup/root.mjs';
import { BUNDLES } from '../build/bundles.mjs';
import { packedFiles, readFuses, wrongContents } from './contents.mjs';
import { writeStubElectron } from './stub-electron.mjs';

/** The real packager, around a stub of Electron: `npm run package -- --dir`, once for all tests of this file. */
/** Asked for and done without (ws), or in code that only a compiler of schemas writes (ajv). */
const NOT_NEEDED = /^(?:bufferutil|utf-8-validate|ajv\/dist\/runtime\/\w+)$/;

let folder: string;
let app: string;
let output = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-package-'));
  const stub = join(folder, 'electron');
  writeStubElectron(stub);
  const args = ['--dir', `-c.electronDist=${stub}`, `-c.directories.output=${join(folder, 'out')}`];
  const env = environmentWith(process.execPath);
  const packager = spawn(process.execPath, [inRoot('bin/package.mjs'), ...args], { cwd: inRoot(), env });
  for (const stream of [packager.stdout, packager.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(packager, 'close')) as [number];
  expect(status, output).toBe(0);
  app = join(folder, 'out', 'linux-unpacked');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const resources = (): string => join(app, 'resources');
const unpacked = (...path: string[]): string => join(resources(), 'app.asar.unpacked', ...path);

test('the package has what the app needs where it needs it, nothing else, within its budget of 15 MB', () => {
  const files = packedFiles(resources());
  expect(wrongContents(files, 'linux-x64')).toEqual([]);
  expect(files.filter((file) => !file.unpacked).map(({ path }) => path)).toEqual([
    'dist/electron/main.cjs',
    'dist/electron/preload.cjs',
  ]);
});

test('the fuses in the binary are those of the configuration', () => {
  const { electronFuses } = parse(readFileSync(inRoot('electron-builder.yml'), 'utf8')) as { electronFuses: object };
  expect(readFuses(join(app, 'espalier'))).toMatchObject(electronFuses);
});

test('the native packages load from where they were put, and main asks for no other', () => {
  const load = createRequire(unpacked('dist', 'registry', 'thread.js'));
  const Database = load('better-sqlite3') as new (name: string) => { close(): void };
  new Database(':memory:').close();
  expect(load('@lydell/node-pty')).toHaveProperty('spawn');
  const main = readFileSync(inRoot('dist/electron/main.cjs'), 'utf8');
  const external = BUNDLES.find(({ outdir }) => outdir === 'dist/electron')?.external ?? [];
  const asked = [...main.matchAll(/\b(?:require|import)\("([\w@][^"\s]*)"\)/g)].map(([, name]) => name ?? '');
  const others = [...new Set(asked)].filter((name) => !isBuiltin(name) && !external.includes(name));
  expect(others.filter((name) => !NOT_NEEDED.test(name))).toEqual([]);
});
