import { describe, expect, test } from 'vitest';
import { EMPTY_LIVE } from '../../app/live-state.ts';
import { aConversation, aProject, aRun, aSet } from '../../testing/fixtures.ts';
import { paletteGroups } from './palette-items.ts';
import { best, score } from './rank.ts';

describe('score', () => {
  test('every word must be found; beginnings count most', () => {
    expect(score('New conversation', 'new conv')).toBeGreaterThan(0);
    expect(score('New conversation', 'new batch')).toBe(0);
    expect(score('Batch editor', 'bat')).toBeGreaterThan(score('New batch', 'bat'));
    expect(score('New batch', 'bat')).toBeGreaterThan(score('Combat', 'bat'));
  });

  test('initials find a title', () => {
    expect(score('Show or hide the sidebar', 'shts')).toBe(0);
    expect(score('New conversation', 'nc')).toBe(1);
  });
});

test('the best come first, ties in their order, and no more than asked', () => {
  expect(best(['xa', 'ab', 'aa', 'b'], (text) => text, 'a', 2)).toEqual(['ab', 'aa']);
  expect(best(['b', 'a'], (text) => text, '  ', 5)).toEqual(['b', 'a']);
});

describe('groups', () => {
  const live = {
    ...EMPTY_LIVE,
    conversations: new Map([['conv_1', aConversation()]]),
    sets: new Map([['deleg_1', aSet({ delegation_id: 'deleg_1' })]]),
    runs: new Map([['run_1', aRun({ run_id: 'run_1', label: 'Postgres adapter' })]]),
    projects: new Map([['proj_1', aProject()]]),
  };
  const command = (id: string, title: string) => ({ id, title, chord: null, run: () => undefined });

  test('runs only answer a query; groups without an answer are left out', () => {
    const commands = [command('palette', 'Command palette'), command('x', 'Old'), command('x', 'New')];
    expect(paletteGroups(live, commands, '').map(({ title }) => title)).toEqual([
      'Actions',
      'Conversations',
      'Sets',
      'Projects',
    ]);
    expect(paletteGroups(live, commands, '')[0]?.items.map(({ text }) => text)).toEqual(['New']);
    expect(paletteGroups(live, commands, 'postgres').map(({ title }) => title)).toEqual(['Runs', 'Everywhere']);
  });
});
