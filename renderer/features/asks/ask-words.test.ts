import { describe, expect, it } from 'vitest';
import { commandLines, consents, settledWords, waitWords } from './ask-words.ts';

describe('asks (A2)', () => {
  it('offers once, this run, this set and always in the project', () => {
    expect(consents(1, 'tidewater').map(({ key, label }) => `${key} ${label}`)).toEqual([
      'a Allow once',
      'r For this run',
      's For set 1',
      'p Always in tidewater',
    ]);
  });

  it('a run outside every set has no set; one whose row is not loaded may have', () => {
    expect(consents(null, 'x').map(({ choice }) => choice)).toEqual(['once', 'run', 'project']);
  });

  it('says how long it waits', () => {
    expect(waitWords(0, 41_000)).toBe('41 s');
    expect(waitWords(0, 252_000)).toBe('4 min 12 s');
    expect(waitWords(0, 63_000)).toBe('1 min 03 s');
    expect(waitWords(0, 3_900_000)).toBe('1 h 05 min');
    expect(waitWords(5000, 0)).toBe('0 s');
  });

  it('tells what became of it and by whom', () => {
    const ask = { state: 'answered', choice: 'once', note: null, answered_by: 'desktop' } as const;
    expect(settledWords(ask)).toBe('Allowed once by desktop');
    expect(settledWords({ ...ask, choice: 'deny', note: 'use the fixture database' })).toBe(
      'Denied: “use the fixture database” by desktop',
    );
    expect(settledWords({ ...ask, choice: 'deny' })).toBe('Denied by desktop');
    expect(settledWords({ ...ask, choice: 'later', answered_by: null })).toBe('later');
    expect(settledWords({ ...ask, state: 'closed', choice: null })).toContain('Closed');
  });

  it('only what a shell runs is shown as a command', () => {
    expect(commandLines({ tool: 'bash', detail: 'a\nb' })).toEqual(['a', 'b']);
    expect(commandLines({ tool: 'edit', detail: 'a' })).toBeNull();
    expect(commandLines({ tool: null, detail: 'a' })).toBeNull();
  });
});
