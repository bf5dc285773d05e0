import { describe, expect, test } from 'vitest';
import { MacProcesses } from './mac-processes.ts';

const LISTING = `    1     0     1     0 Ss   ??       Mon Jun  2 08:00:00 2025 /sbin/launchd
  500     1   500   501 S+   ttys001  Tue Jun 10 12:34:56 2025 /Applications/My App.app/Contents/MacOS/My App --flag
  501   500   500   501 Z    ??       Tue Jun 10 12:35:01 2025 (sleep)
`;

const ENVIRONMENTS = `    1 /sbin/launchd
  500 /Applications/My App.app/Contents/MacOS/My App --flag PATH=/usr/bin ESPALIER_RUN=run_1 HOME=/Users/me
  501 (sleep)
`;

const FILES = `p500
fcwd
n/Users/me/project
f1
n/Users/me/out.log
f2
n->0x1234
`;

function mac(calls: string[] = []): MacProcesses {
  return new MacProcesses(
    'ESPALIER_RUN',
    (command, args) => {
      calls.push([command, ...args].join(' '));
      if (command === 'lsof') return Promise.resolve(FILES);
      if (args[0] === '-axwwE') return Promise.resolve(ENVIRONMENTS);
      if (args[0] === '-axwwo') return Promise.resolve(LISTING);
      const pids = args.at(-1)?.split(',') ?? [];
      const lines = LISTING.split('\n').filter((line) => pids.includes(line.trim().split(' ')[0] ?? ''));
      return Promise.resolve(lines.join('\n'));
    },
    77,
  );
}

describe('processes by ps (macOS)', () => {
  test('a listing gives parents, groups, start, terminal, name, and the marker from the environment', async () => {
    const { entries } = await mac().list();
    expect(entries).toHaveLength(3);
    expect(entries[1]).toMatchObject({
      pid: 500,
      ppid: 1,
      pgid: 500,
      session: 0,
      startTime: 'Tue Jun 10 12:34:56 2025',
      startedAt: Date.UTC(2025, 5, 10, 12, 34, 56),
      terminal: true,
      marker: 'run_1',
      commandLine: '/Applications/My App.app/Contents/MacOS/My App --flag',
    });
    expect(entries[0]).toMatchObject({ pid: 1, command: 'launchd', terminal: false, marker: null });
  });

  test('case 40: living are those with the same start only, and no zombies', async () => {
    const same = { pid: 500, startTime: 'Tue Jun 10 12:34:56 2025' };
    const later = { pid: 1, startTime: 'Tue Jun 10 12:34:56 2025' };
    const zombie = { pid: 501, startTime: 'Tue Jun 10 12:35:01 2025' };
    expect(await mac().living([same, later, zombie, { pid: 9, startTime: '' }])).toEqual([same]);
    expect(await mac().identify(9)).toBeNull();
    expect(await mac().identify(500)).toEqual(same);
  });

  test('working folder and outputs come from one lsof for all', async () => {
    const calls: string[] = [];
    const identities = [
      { pid: 500, startTime: 'Tue Jun 10 12:34:56 2025' },
      { pid: 1, startTime: 'another' },
    ];
    const details = await mac(calls).inspect(identities);
    expect([...details.keys()]).toEqual([500]);
    expect(details.get(500)).toMatchObject({
      uid: 501,
      cwd: '/Users/me/project',
      outputs: ['/Users/me/out.log', '->0x1234'],
    });
    expect(calls.filter((call) => call.startsWith('lsof'))).toHaveLength(1);
  });
});
