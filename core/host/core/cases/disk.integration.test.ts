import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ownMounts } from '../../../testing/own-mounts.ts';

const PROGRAM = fileURLToPath(new URL('../../../testing/faulty-disk.ts', import.meta.url));

/** What a core saw on a disk that fails in that way. */
function seen(scene: 'full' | 'readonly'): unknown {
  const [command, ...args] = ownMounts();
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const ran = spawnSync(command, [...args, process.execPath, PROGRAM, scene], { encoding: 'utf8', env });
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout);
}

// Mounts of one's own are a thing of Linux; elsewhere the registry's own tests show the same with SQLite's limits.
const onLinux = process.platform === 'linux' ? test : test.fails;

onLinux(
  'B23, D6: the disk is full while three tasks print → one banner, new work and changes of worktrees (W4) refused, none completed, settings whole; with room again all end whole',
  { timeout: 120_000 },
  () => {
    const message = expect.stringMatching(/is full.* Nothing was changed\.$/) as string;
    const isFull = { code: 'storage', message };
    expect(seen('full')).toEqual({
      settings: { refused: 'ENOSPC', kept: '{"version":1}', names: ['settings.json'] },
      said: true,
      refused: 'storage',
      worktree: {
        told: [isFull, isFull],
        isUntouched: true,
        again: 'work',
        row: 'squash',
      },
      whileFull: [null, null, null],
      status: 'completed',
      sets: 1,
      whole: [true, true, true],
      troubles: 1,
      flood: false,
    });
  },
);

onLinux(
  'B23, D6: a project on a read-only mount is refused and told of while others work; writable again it goes on; a read-only data folder says so',
  { timeout: 120_000 },
  () => {
    expect(seen('readonly')).toEqual({
      before: 'completed',
      refused: 'storage',
      banner: true,
      listed: true,
      after: 'completed',
      left: null,
      unusable: true,
    });
  },
);
