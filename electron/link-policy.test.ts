import { expect, test } from 'vitest';
import { outsideTarget } from './link-policy.ts';

test.each(['https://example.com/a?b#c', 'http://localhost:3000/', 'mailto:a@example.com'])(
  '%s opens outside',
  (url) => {
    expect(outsideTarget(url)).toBe(url);
  },
);

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'smb://host/share',
  'ms-msdt:/id',
  'vscode://file/etc/passwd',
  'app://espalier/',
  'https://trusted.example@evil.example/',
  'https://a:b@evil.example/',
  '/relative',
  '',
])('%s is not opened', (url) => {
  expect(outsideTarget(url)).toBeNull();
});
