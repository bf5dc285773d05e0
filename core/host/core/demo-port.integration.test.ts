import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger, type Logger } from '../../kit/logger.ts';
import { systemRandom } from '../../kit/random.ts';
import { Demo } from './demo.ts';

test('a Demo whose port another program has takes a new one, and the log says why', async () => {
  const home = mkdtempSync(join(tmpdir(), 'espalier-demo-port-'));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  mkdirSync(join(home, 'demo'));
  writeFileSync(join(home, 'demo', 'port'), `${port}\n`);
  const warnings: Record<string, unknown>[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => void warnings.push(fields) };
  const packageRoot = join(import.meta.dirname, '../../..');
  const demo = new Demo({ home, packageRoot, random: systemRandom, logger });
  try {
    expect(await demo.ready()).toMatchObject({ ok: true });
    expect(warnings).toMatchObject([{ port, error: expect.stringContaining('EADDRINUSE') }]);
    const now = Number(readFileSync(join(home, 'demo', 'port'), 'utf8'));
    expect(now).toBeGreaterThan(0);
    expect(now).not.toBe(port);
  } finally {
    await demo.close();
    await new Promise((resolve) => other.close(resolve));
    rmSync(home, { recursive: true });
  }
});
