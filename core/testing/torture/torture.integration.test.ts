import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../host/place/package-root.ts';
import { torture } from './torture.ts';

const ROOT = packageRoot(import.meta.dirname);
const FOLDER = join(ROOT, '.cache', 'torture', `test-${process.pid}`);

test('D3, D4, D5, P7, case 38: 20 ends of the core at random moments of a busy batch, and blows to its workers → nothing is lost, doubled or left', async () => {
  const seed = Date.now() % 1_000_000;
  const lines: string[] = [];
  try {
    const tell = (line: string): void => void lines.push(line);
    const report = await torture({ packageRoot: ROOT, folder: FOLDER, kills: 20, seed, jobs: 2, tasks: 4, tell });
    // The lines say how to see it again.
    expect(report.findings, lines.join('\n')).toEqual([]);
    expect(report.kills).toBe(20);
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}, 180_000);
