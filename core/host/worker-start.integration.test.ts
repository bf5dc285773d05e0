import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const WORKER = join(import.meta.dirname, '../../dist/worker');

/** Loads on its own, and prints what of Node a program has loaded when it ends. */
const TELL = `data:text/javascript,process.on('exit',()=>process._rawDebug(JSON.stringify(process.moduleLoadList)))`;

/** Modules of Node that the built worker has loaded before its task is known. */
async function loadedAtStart(): Promise<string[]> {
  const printed = await new Promise<string>((resolve) => {
    const child = execFile(process.execPath, ['--import', TELL, join(WORKER, 'child.js')], (_error, _stdout, stderr) =>
      resolve(stderr),
    );
    // Without an order it ends by itself.
    child.stdin?.end();
  });
  const line = printed.split('\n').find((one) => one.startsWith('['));
  return (JSON.parse(line ?? '[]') as string[]).map((name) => name.replace(/^\w+ /, ''));
}

test('a worker that starts loads only what it needs to greet: 2 ms of Node’s own modules more are noticed here', async () => {
  expect(existsSync(join(WORKER, 'child.js')), 'run npm run build first').toBe(true);
  const loaded = await loadedAtStart();
  expect(loaded).toContain('net');
  const heavy = /undici|^(crypto|perf_hooks|https?|tls|zlib|worker_threads|readline|child_process|inspector|sqlite)$/;
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
  // 158 with Node 24.21; an empty program has 113.
  expect(loaded.length).toBeLessThan(185);
});

/** The files that `file` imports before it runs, with itself. */
function readAtStart(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    readAtStart(join(dirname(file), name), found);
  return found;
}

test('what every start of a worker reads stays small: schemas, providers and tools are apart from it', () => {
  const files = [...readAtStart(join(WORKER, 'child-program.js'))];
  // Shared parts are files of their own, and count with what they import.
  expect(files.length).toBeGreaterThan(1);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(64 * 1024);
  for (const file of files)
    expect(readFileSync(file, 'utf8')).not.toMatch(/@ai-sdk|modelcontextprotocol|agentclientprotocol|ZodType/);
});
