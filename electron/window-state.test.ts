import { expect, test } from 'vitest';
import { besideWindow, MIN_SIZE, parseWindows, placeWindow } from './window-state.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1040 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };

test('the first window has its own size, within the screen', () => {
  expect(placeWindow(null, [SCREEN])).toEqual({ width: 1440, height: 900, maximized: false });
  expect(placeWindow(null, [{ x: 0, y: 0, width: 1280, height: 720 }])).toMatchObject({ width: 1280, height: 720 });
});

test('a window opens where it was, also on the second screen', () => {
  const state = { x: 2000, y: 50, width: 1000, height: 700, maximized: true };
  expect(placeWindow(state, [SCREEN, SECOND])).toEqual(state);
});

test('a window whose screen is gone opens at its size where the system likes', () => {
  const state = { x: 2000, y: 50, width: 1000, height: 700, maximized: false };
  expect(placeWindow(state, [SCREEN])).toEqual({ width: 1000, height: 700, maximized: false });
});

test('a window whose title bar cannot be reached is not put back there', () => {
  const above = { x: 100, y: -300, width: 1000, height: 700, maximized: false };
  expect(placeWindow(above, [SCREEN])).not.toHaveProperty('y');
  const beside = { x: 1900, y: 10, width: 1000, height: 700, maximized: false };
  expect(placeWindow(beside, [SCREEN])).not.toHaveProperty('x');
});

test('a window is never smaller than what its content needs', () => {
  expect(placeWindow({ x: 0, y: 0, width: 10, height: 10, maximized: false }, [SCREEN])).toMatchObject(MIN_SIZE);
  expect(placeWindow(null, [])).toMatchObject({ width: 1440 });
});

test.each(['', 'x', '{}', '[{}]', 'null', '[{"place":{"x":1},"conversation_id":null}]', `[${'1,'.repeat(12)}1]`])(
  'a damaged list of windows %s is none',
  (text) => {
    expect(parseWindows(text)).toEqual([]);
  },
);

test('windows that were stored are read as they were, each with what it showed', () => {
  const place = { x: -5, y: 0, width: 1000, height: 700, maximized: false };
  const windows = [
    { place, conversation_id: 'conv_1' },
    { place: { ...place, x: 40 }, conversation_id: null },
  ];
  expect(parseWindows(JSON.stringify(windows))).toEqual(windows);
});

test('a window that is opened from another one does not cover it', () => {
  expect(besideWindow({ x: 10, y: 20, width: 1000, height: 700, maximized: true })).toEqual({
    ...{ x: 38, y: 48, width: 1000, height: 700, maximized: false },
  });
});
