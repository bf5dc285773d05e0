import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import { BuiltProgram } from '../../core/testing/built-program.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'espalier.mjs');

/** Loaded on its own; tells on stderr what the program has loaded when it begins to print. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
  const write = process.stdout.write;
  process.stdout.write = function (...args) {
    process.stdout.write = write;
    process._rawDebug(JSON.stringify({ files, own: process.moduleLoadList }));
    return write.apply(this, args);
  };`)}`;

function serve(espalier: BuiltProgram, node: readonly string[] = [], options: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...node, PROGRAM, 'serve', '--json', ...options], {
    // With a bare PATH the login shell would be asked for a better one.
    env: {
      ...espalier.git.environment,
      PATH: `/opt/tools:${espalier.git.environment['PATH'] ?? ''}`,
      ESPALIER_HOME: espalier.git.data,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error('no stream');
  const [line] = (await once(createInterface({ input: stream }), 'line')) as [string];
  return line;
}

test('D2: a start that is refused prints no address and says why: a faulty setting, a database that is none', async () => {
  await using espalier = await BuiltProgram.open();
  espalier.write('settings.json', { defaultAgent: 7 });
  const faulty = await espalier.run(['serve', '--json']);
  expect([faulty.status, faulty.out]).toEqual([3, '']);
  expect(faulty.lines.join()).toContain('defaultAgent');
  rmSync(join(espalier.git.data, 'settings.json'));
  writeFileSync(join(espalier.git.data, 'app.db'), 'This is no database, however long one looks at it.'.repeat(100));
  const broken = await espalier.run(['serve']);
  expect([broken.status, broken.out]).toEqual([3, '']);
  expect(broken.lines.join()).toContain('app.db');
}, 60_000);

test('the page is served before the core is loaded; who comes at once is waited on, and an early end closes everything', async () => {
  await using espalier = await BuiltProgram.open();
  rmSync(join(espalier.git.data, 'settings.json'));
  const child = serve(espalier, ['--import', TELL]);
  const [printed, told] = await Promise.all([firstLine(child.stdout), firstLine(child.stderr)]);
  const { files, own } = JSON.parse(told) as { files: string[]; own: string[] };
  const ours = files.filter((url) => url.includes('/dist/cli/'));
  // What noise cannot change: 27 files of ours with 130 kB, where the core has 1.9 MB; 210 modules of Node, an empty program has 113.
  expect(ours.length).toBeLessThan(40);
  expect(bytesOf(ours)).toBeLessThan(180_000);
  expect(own.length).toBeLessThan(240);
  expect(own.filter((name) => /undici|worker_threads|https|tls$/.test(name))).toEqual([]);

  const { url } = JSON.parse(printed) as { url: string };
  expect((await fetch(url)).status).toBe(200);
  // Whoever comes at once is let in when the core is there.
  const connected = await connectLocal(espalier.git.data, 'test');
  expect(connected).toMatchObject({ ok: true, value: { pid: child.pid } });
  if (connected.ok) connected.value.close();
  child.kill('SIGKILL');
  await once(child, 'close');

  const early = serve(espalier);
  await firstLine(early.stdout);
  early.kill('SIGTERM');
  expect(await once(early, 'close')).toEqual([0, null]);
  expect(existsSync(join(espalier.git.data, 'core.json'))).toBe(false);
}, 60_000);

/** Whether a page that has the address still gets in. */
async function letsIn(address: string): Promise<boolean> {
  const { origin, hash } = new URL(address);
  const body = JSON.stringify({ token: hash.slice('#token='.length) });
  const headers = { origin, 'content-type': 'application/json' };
  return fetch(`${origin}/session`, { method: 'POST', headers, body }).then(
    ({ ok }) => ok,
    () => false,
  );
}

test('D2: when the process that hosts the core is killed, every `serve` that is left serves on where it was, with the same token', async () => {
  await using espalier = await BuiltProgram.open();
  const addressOf = async (child: ChildProcess): Promise<string> =>
    (JSON.parse(await firstLine(child.stdout)) as { url: string }).url;
  const host = serve(espalier);
  const first = await addressOf(host);
  const second = serve(espalier);
  const third = serve(espalier, [], ['--host', 'localhost']);
  const others = [second, third];
  try {
    const addresses = await Promise.all(others.map(addressOf));
    // Without a port of its own it is the same address; that of another name is one of its own.
    expect([addresses[0], addresses[1] === first]).toEqual([first, false]);
    host.kill('SIGKILL');
    await once(host, 'close');
    await expect
      .poll(() => Promise.all(addresses.map(letsIn)), { timeout: 30_000, interval: 200 })
      .toEqual([true, true]);
    expect(others.map(({ exitCode }) => exitCode)).toEqual([null, null]);
  } finally {
    const closed = others.map((child) => once(child, 'close'));
    for (const child of others) child.kill('SIGTERM');
    await Promise.all(closed);
  }
  expect(others.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
}, 90_000);

function bytesOf(urls: readonly string[]): number {
  return urls.reduce((sum, url) => sum + statSync(new URL(url)).size, 0);
}
