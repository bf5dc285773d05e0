import { describe, expect, it } from 'vitest';
import { aRun } from '../../testing/fixtures.ts';
import { boxState, modeOfKey } from './steer-state.ts';

const run = (part: Partial<Parameters<typeof boxState>[0]>) => boxState(aRun({ run_id: 'run_1', ...part }));

describe('steer box (C2)', () => {
  it.each(['queued', 'starting', 'running', 'waiting'])('%s → takes messages', (state) => {
    expect(run({ state }).type).toBe('steer');
  });

  it('a command says that it takes none', () => {
    expect(run({ runner: 'command' })).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('command') as string,
    });
  });

  it('stopping → says so; ended → nothing where no session is kept', () => {
    expect(run({ state: 'stopping' }).type).toBe('refused');
    expect(run({ state: 'ended' }).type).toBe('hidden');
    expect(run({ state: 'ended', runner: 'command' }).type).toBe('hidden');
  });

  it('C5: ended with a session → goes on with it, until another run does', () => {
    expect(run({ state: 'ended', runner: 'builtin' }).type).toBe('continue');
    expect(run({ state: 'ended', runner: 'builtin', lead: true }).type).toBe('continue');
    expect(run({ state: 'ended', runner: 'builtin', continued_by: 'run_2' }).type).toBe('refused');
  });

  it('a lead that waits for its next message gets a message, not a steer', () => {
    expect(run({ lead: true, state: 'waiting', reason: 'user' }).type).toBe('message');
    expect(run({ lead: true, state: 'running' }).type).toBe('steer');
  });

  it('Enter steers, with ⌘ or Ctrl follows up, with Shift makes a line, and belongs to an input method that composes', () => {
    const key = { key: 'Enter', shiftKey: false, metaKey: false, ctrlKey: false, altKey: false, isComposing: false };
    expect(modeOfKey(key)).toBe('steer');
    expect(modeOfKey({ ...key, metaKey: true })).toBe('follow_up');
    expect(modeOfKey({ ...key, ctrlKey: true })).toBe('follow_up');
    expect(modeOfKey({ ...key, shiftKey: true })).toBeNull();
    expect(modeOfKey({ ...key, isComposing: true })).toBeNull();
    expect(modeOfKey({ ...key, key: 'a' })).toBeNull();
  });
});
