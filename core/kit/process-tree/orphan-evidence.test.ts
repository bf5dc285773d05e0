import { describe, expect, test } from 'vitest';
import { judgeOrphan } from './orphan-evidence.ts';
import type { TreeEvidence } from './orphan-evidence.ts';
import type { ProcessDetails } from './process-entry.ts';

const HOME = { uid: 1000, cgroup: '0::/app\n', channels: new Set(['socket:[7]']) };
const OPEN: TreeEvidence = { tag: 5, outputs: ['/data/out.log'], workspace: '/src/tree', sealed: false };
const SEALED: TreeEvidence = { ...OPEN, sealed: true };
const STRANGER: ProcessDetails = {
  uid: 1000,
  cgroup: '0::/other\n',
  tag: null,
  outputs: ['/dev/null', '/dev/null'],
  cwd: '/',
  commandLine: 'sleep 300',
};

/** The table in the docstring of `judgeOrphan`, row by row. */
const ROWS: [string, Partial<ProcessDetails>, 'member' | 'suspect' | 'stranger', 'member' | 'stranger'][] = [
  ['the inherited tag', { tag: 5 }, 'member', 'member'],
  ['another tag', { tag: 6 }, 'stranger', 'stranger'],
  ['writing to a file of the tree', { outputs: ['/dev/null', '/data/out.log'] }, 'member', 'member'],
  ['writing to a removed file of the tree', { outputs: ['/data/out.log (deleted)'] }, 'member', 'member'],
  ['writing to a socket that a member had', { outputs: ['socket:[7]'] }, 'member', 'member'],
  ["another user's, in the workspace", { uid: 0, cwd: '/src/tree' }, 'stranger', 'stranger'],
  ['working in the workspace', { cwd: '/src/tree/src' }, 'suspect', 'stranger'],
  ['working beside the workspace', { cwd: '/src/tree-2' }, 'stranger', 'stranger'],
  ['in the cgroup of the root', { cgroup: HOME.cgroup }, 'suspect', 'stranger'],
  ['unreadable but in the cgroup of the root', { cgroup: HOME.cgroup, cwd: null, outputs: [] }, 'suspect', 'stranger'],
  ['nothing in common', {}, 'stranger', 'stranger'],
];

describe('evidence of orphans (C4, case 29)', () => {
  test.each(ROWS)('%s', (_, facts, open, sealed) => {
    expect(judgeOrphan({ ...STRANGER, ...facts }, OPEN, HOME)).toBe(open);
    expect(judgeOrphan({ ...STRANGER, ...facts }, SEALED, HOME)).toBe(sealed);
  });
});
