import { expect, test } from 'vitest';
import type { WorkNow } from '../../protocol/desktop.ts';
import { mayInstall, updateEntry, updateNotice, updateQuestion, type UpdateState } from './updates.ts';

const ready: UpdateState = { type: 'ready', version: '2.0.0', waits: false };
const waits: UpdateState = { ...ready, waits: true };
const work = (part: Partial<WorkNow>): WorkNow => ({ atWork: 0, queued: 0, asks: 0, names: [], ...part });

test.each<[UpdateState, string | null, string | null]>([
  [{ type: 'off' }, null, null],
  [{ type: 'idle' }, 'Check for Updates…', 'check'],
  [{ type: 'checking' }, 'Looking for Updates…', null],
  [{ type: 'loading', version: '2.0.0' }, 'Fetching Espalier 2.0.0…', null],
  [ready, 'Restart to Update to 2.0.0…', 'restart'],
  [waits, 'Espalier 2.0.0 Waits for the Work…', 'restart'],
])('%j → the menu offers %j', (state, label, does) => {
  expect(updateEntry(state)).toEqual(label === null ? null : { label, does });
});

test.each<[UpdateState, 'quits' | 'work_changed', number, boolean]>([
  [ready, 'quits', 0, true],
  [ready, 'quits', 1, false],
  [ready, 'work_changed', 0, false],
  [waits, 'work_changed', 0, true],
  [waits, 'work_changed', 2, false],
  [waits, 'quits', 0, true],
  [{ type: 'loading', version: '2.0.0' }, 'quits', 0, false],
  [{ type: 'idle' }, 'work_changed', 0, false],
])('%j, %s with %i at work → put in place: %s', (state, moment, atWork, installs) => {
  expect(mayInstall(state, moment, atWork)).toBe(installs);
});

test('nothing at work → no question, also with a queue and open questions', () => {
  expect(updateQuestion('2.0.0', work({ queued: 3, asks: 1 }))).toBeNull();
});

test('one run at work → it is named, and waited for unless the person says otherwise', () => {
  expect(updateQuestion('2.0.0', work({ atWork: 1, names: ['Pick the apples'] }))).toEqual({
    message: 'Espalier 2.0.0 is ready, and 1 run is at work.',
    detail: 'Updating now stops: Pick the apples.',
    buttons: [
      { choice: 'wait', label: 'Update When It Has Ended' },
      { choice: 'stop_all', label: 'Stop It and Update' },
      { choice: 'later', label: 'Later' },
    ],
  });
});

test('many runs at work → the first are named, the others counted, the queue told', () => {
  const names = Array.from({ length: 8 }, (_, index) => `Task ${index + 1}`);
  const question = updateQuestion('2.0.0', work({ atWork: 8, queued: 4, names }));
  expect(question?.detail).toBe(
    'Updating now stops: Task 1, Task 2, Task 3, Task 4, Task 5 and 3 more.\nWhat is in the queue (4) starts after it.',
  );
});

test('names that may not be told are counted alone', () => {
  expect(updateQuestion('2.0.0', work({ atWork: 2 }))?.detail).toBe('Updating now stops 2 runs.');
});

test('who did not ask hears only of a version that is ready', () => {
  expect(updateNotice({ type: 'newest' }, false)).toBeNull();
  expect(updateNotice({ type: 'failed', why: 'offline' }, false)).toBeNull();
  expect(updateNotice({ type: 'ready', version: '2.0.0', atWork: 0 }, false)?.body).toMatch(/when you quit/);
  expect(updateNotice({ type: 'ready', version: '2.0.0', atWork: 3 }, false)?.body).toMatch(/waits for the runs/);
  expect(updateNotice({ type: 'newest' }, true)?.title).toBe('Espalier is up to date');
  expect(updateNotice({ type: 'failed', why: 'offline' }, true)?.body).toBe('offline');
});
