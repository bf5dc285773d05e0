import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHANNELS, PORT_MESSAGE } from './channels.ts';
import { APP_URL, isOwnPage, isTrustedSender } from './own-page.ts';

test.each([
  ['app://espalier/', true],
  ['app://espalier/index.html#x', true],
  ['app://evil/', false],
  ['app://espalier.evil/', false],
  ['https://espalier/', false],
  ['file:///etc/passwd', false],
  ['about:blank', false],
  ['not an address', false],
])('%s belongs to the page of the desktop: %s', (url, own) => {
  expect(isOwnPage(url, APP_URL)).toBe(own);
});

test('the page of a joined core is told apart by its port', () => {
  expect(isOwnPage('http://127.0.0.1:4000/x', 'http://127.0.0.1:4000/#token=a')).toBe(true);
  expect(isOwnPage('http://127.0.0.1:4001/', 'http://127.0.0.1:4000/#token=a')).toBe(false);
});

test('only the top frame of the own page is heard', () => {
  expect(isTrustedSender({ url: APP_URL, parent: null })).toBe(true);
  expect(isTrustedSender({ url: APP_URL, parent: { url: APP_URL } })).toBe(false);
  expect(isTrustedSender({ url: 'https://example.com/', parent: null })).toBe(false);
  expect(isTrustedSender(null)).toBe(false);
});

test('the page waits for the message that the preload sends', () => {
  const page = readFileSync(new URL('../renderer/shared/bridge.ts', import.meta.url), 'utf8');
  expect(page).toContain(`PORT_MESSAGE = '${PORT_MESSAGE}'`);
  const preload = readFileSync(new URL('./preload.ts', import.meta.url), 'utf8');
  const offered = [...preload.matchAll(/^ {2}(\w+): \(/gm)].map(([, name]) => name);
  const asked = [...page.matchAll(/^ {2}(\w+)\??\(/gm)].map(([, name]) => name);
  expect(offered).toEqual(asked);
  expect(new Set(Object.values(CHANNELS)).size).toBe(Object.keys(CHANNELS).length);
});
