import { describe, expect, test } from 'vitest';
import { findMembers, findOrphans, newKnowledge } from './membership.ts';
import type { TreeKnowledge } from './membership.ts';
import type { ProcessEntry } from './process-entry.ts';
import { processTable } from './process-table.ts';
import type { ProcessTable } from './process-table.ts';

const OWN = 50;

function entry(pid: number, ppid: number, more: Partial<ProcessEntry> = {}): ProcessEntry {
  return {
    pid,
    ppid,
    startTime: `t${pid}`,
    pgid: pid,
    session: pid,
    startedAt: pid,
    state: 'S',
    command: 'sleep',
    terminal: false,
    marker: null,
    ...more,
  };
}

/** init, a reaper above us, ourselves, and the given processes. */
function table(...entries: ProcessEntry[]): ProcessTable {
  return processTable({ entries: [entry(1, 0), entry(40, 1), entry(OWN, 40), ...entries], vanished: 0 }, 1);
}

function tree(marker: string | null = 'run_1', leads = true): TreeKnowledge {
  return newKnowledge({ pid: 100, startTime: 't100' }, marker, leads);
}

function members(of: ProcessTable, knowledge: TreeKnowledge): number[] {
  return findMembers(of, knowledge, OWN)
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

const ROOT = entry(100, OWN);

describe('who belongs to a tree (C4)', () => {
  test('descendants, however deep, whatever the order of the listing', () => {
    expect(members(table(entry(103, 102), entry(102, 101), entry(101, 100), ROOT), tree())).toEqual([
      100, 101, 102, 103,
    ]);
  });

  test('a daemon that was seen once stays known after it re-parents', () => {
    const knowledge = tree(null);
    members(table(ROOT, entry(101, 100)), knowledge);
    expect(members(table(entry(101, 1)), knowledge)).toEqual([101]);
    expect(members(table(entry(101, 1), entry(102, 101)), knowledge)).toEqual([101, 102]);
  });

  test('session and group of the root stay ours when the root ended before it was seen', () => {
    expect(members(table(entry(101, 1, { session: 100, pgid: 100 })), tree(null))).toEqual([101]);
    expect(members(table(entry(101, 1, { session: 7, pgid: 100 })), tree(null))).toEqual([101]);
  });

  test('session of a recorded member is followed', () => {
    const knowledge = tree(null);
    members(table(ROOT, entry(101, 100)), knowledge);
    expect(members(table(entry(102, 1, { session: 101 })), knowledge)).toEqual([102]);
  });

  test('a session that was empty once is no evidence any more', () => {
    const knowledge = tree(null);
    members(table(), knowledge);
    expect(members(table(entry(101, 1, { session: 100 })), knowledge)).toEqual([]);
  });

  test('case 40: the root pid re-used by another program is a stranger, with its session and children', () => {
    const stranger = { ...ROOT, startTime: 'later', startedAt: 900 };
    expect(members(table(stranger, entry(901, 100, { session: 100, pgid: 100 })), tree())).toEqual([]);
  });

  test('the marker finds what left by all other ways, but nothing older than the root and no other run', () => {
    const knowledge = tree();
    const marked = entry(110, 1, { marker: 'run_1' });
    const older = entry(60, 1, { marker: 'run_1' });
    expect(members(table(ROOT, marked, older, entry(111, 1, { marker: 'run_2' })), knowledge)).toEqual([100, 110]);
  });

  test('ourselves and our ancestors never belong, whatever they carry', () => {
    const carried = processTable(
      {
        entries: [
          entry(1, 0),
          entry(40, 100, { marker: 'run_1' }),
          entry(OWN, 40, { marker: 'run_1', startedAt: 500 }),
          ROOT,
        ],
        vanished: 0,
      },
      1,
    );
    expect(members(carried, tree())).toEqual([]);
  });

  test('a child that is older than its parent got a re-used parent pid', () => {
    expect(members(table(ROOT, entry(101, 100, { startedAt: 99 })), tree(null))).toEqual([100]);
  });

  test('without leadership a session counts only once its leader was seen', () => {
    expect(members(table(entry(101, 1, { session: 100 })), tree(null, false))).toEqual([]);
    expect(members(table(ROOT, entry(101, 1, { session: 100 })), tree(null, false))).toEqual([100, 101]);
  });

  test('a zombie is a member, and its number is kept', () => {
    expect(members(table({ ...ROOT, state: 'Z' }), tree())).toEqual([100]);
  });
});

test('case 40: a root that ended before it was ever listed: its age still keeps strangers out, whatever they carry', () => {
  const older = entry(60, 1, { marker: 'run_1' });
  const knowledge = newKnowledge({ pid: 100, startTime: 't100' }, 'run_1', false, 100);
  expect(members(table(older, entry(110, 1, { marker: 'run_1' })), knowledge)).toEqual([110]);
  expect(findOrphans(table(entry(61, 1), entry(111, 1)), knowledge, OWN).map(({ pid }) => pid)).toEqual([111]);
});

describe('who may have left a tree unseen', () => {
  const orphans = (...entries: ProcessEntry[]): number[] => {
    const knowledge = tree();
    const all = table(ROOT, ...entries);
    findMembers(all, knowledge, OWN);
    return findOrphans(all, knowledge, OWN).map(({ pid }) => pid);
  };

  test('taken over by init or a reaper above us, started since the root', () => {
    expect(orphans(entry(110, 1), entry(111, 40))).toEqual([110, 111]);
  });

  test('for a tree without a marker of its own a marker accounts for nothing', () => {
    const knowledge = tree(null);
    const all = table(ROOT, entry(110, 1, { marker: 'run_1' }));
    findMembers(all, knowledge, OWN);
    expect(findOrphans(all, knowledge, OWN).map(({ pid }) => pid)).toEqual([110]);
  });

  test('not: older, with a terminal, of another run, a zombie, a child of ours, a child of a stranger, a member', () => {
    expect(
      orphans(
        entry(60, 1),
        entry(110, 1, { terminal: true }),
        entry(111, 1, { marker: 'run_2' }),
        entry(112, 1, { state: 'Z' }),
        entry(113, OWN),
        entry(114, 60),
        entry(115, 1, { session: 100 }),
      ),
    ).toEqual([]);
  });
});
