import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

test('the part of the worker that every start reads stays small, and providers and tools are apart from it', () => {
  const program = readFileSync(join(WORKER, 'child-program.js'), 'utf8');
  expect(statSync(join(WORKER, 'child-program.js')).size).toBeLessThan(48 * 1024);
  expect(program).not.toMatch(/@ai-sdk|modelcontextprotocol|agentclientprotocol/);
});
