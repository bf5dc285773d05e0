import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTENT_POLICY, isPermitted, PAGE_HEADERS } from './content-policy.ts';

const directives = new Map(
  CONTENT_POLICY.split('; ').map((line) => {
    const [name = '', ...sources] = line.split(' ');
    return [name, sources] as const;
  }),
);

test('nothing is allowed that is not listed, and scripts come from our files alone', () => {
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'"]);
  expect(directives.get('style-src')).toEqual(["'self'"]);
  for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(directives.get(name)).toEqual(["'none'"]);
});

test('no image, font or connection leaves the machine', () => {
  for (const name of ['img-src', 'font-src', 'connect-src', 'worker-src']) {
    for (const source of directives.get(name) ?? ['missing']) expect(["'self'", 'data:', 'blob:']).toContain(source);
  }
  expect(PAGE_HEADERS['content-security-policy']).toBe(CONTENT_POLICY);
});

test.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fileSystem', 'hid', 'usb'])(
  'a page may not ask for %s',
  (permission) => {
    expect(isPermitted(permission)).toBe(false);
  },
);

test('a page may copy', () => {
  expect(isPermitted('clipboard-sanitized-write')).toBe(true);
});

test('the policy is the one of the page under serve, without its socket', () => {
  const served = readFileSync(new URL('../core/host/serve/response.ts', import.meta.url), 'utf8');
  const lines = [...served.matchAll(/^ {4}["`]([a-z-]+ .*)["`],$/gm)].map(([, line]) => line);
  expect(CONTENT_POLICY.split('; ')).toEqual(lines.map((line) => line?.replace(' ws://${host}', '')));
});
