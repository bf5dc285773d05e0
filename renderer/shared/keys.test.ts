import { expect, test } from 'vitest';
import { chordCaps, chordOf, isChord } from './keys.ts';

const press = (key: string, part: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part }) as KeyboardEvent;

test('a chord matches its keys and no more than these', () => {
  expect(isChord(press('b', { ctrlKey: true }), 'mod+b')).toBe(true);
  expect(isChord(press('b'), 'mod+b')).toBe(false);
  expect(isChord(press('b', { ctrlKey: true, altKey: true }), 'mod+b')).toBe(false);
  expect(isChord(press('F6'), 'f6')).toBe(true);
  expect(isChord(press('F6', { shiftKey: true }), 'f6')).toBe(false);
  expect(isChord(press('F6', { shiftKey: true }), 'shift+f6')).toBe(true);
});

test('a character that needs Shift is named by itself', () => {
  expect(isChord(press('?', { shiftKey: true }), '?')).toBe(true);
  expect(isChord(press('1'), '1')).toBe(true);
});

test('in a browser, a key that it keeps for itself has an Alt form', () => {
  expect(isChord(press('n', { altKey: true }), 'mod+n')).toBe(true);
  expect(isChord(press('n', { ctrlKey: true }), 'mod+n')).toBe(false);
  expect(chordCaps('mod+n')).toMatch(/Alt N|⌥N/);
});

test('a pressed key becomes the chord that matches it again; typing and the keys of a page cannot be bound', () => {
  const events = [
    [press('k', { ctrlKey: true }), 'mod+k'],
    [press('K', { ctrlKey: true, shiftKey: true }), 'mod+shift+k'],
    [press('∂', { altKey: true, code: 'KeyD' }), 'alt+d'],
    [press('F3', { shiftKey: true }), 'shift+f3'],
    [press('!', { shiftKey: true }), '!'],
    [press(' ', { ctrlKey: true }), 'mod+space'],
  ] as const;
  for (const [event, chord] of events) {
    expect(chordOf(event)).toBe(chord);
    expect(isChord(event, chord)).toBe(true);
  }
  expect(chordOf(press('Control', { ctrlKey: true }))).toBeNull();
  for (const key of ['a', 'Enter', 'Tab', 'ArrowUp', ' ']) expect(chordOf(press(key))).toBe('unusable');
  expect(chordOf(press('k', { metaKey: true }))).toBe('unusable');
});
