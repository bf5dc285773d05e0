import { describe, expect, it } from 'vitest';
import { linkTarget } from './link-target.ts';

describe('linkTarget (B31)', () => {
  it.each([
    ['https://example.com/a?b=c', 'https://example.com/a?b=c', 'example.com'],
    ['HTTP://Example.com:8080', 'http://example.com:8080/', 'example.com:8080'],
    ['mailto:a@example.com', 'mailto:a@example.com', 'a@example.com'],
    ['https://bank.com@evil.example/x', 'https://bank.com@evil.example/x', 'evil.example'],
    // A Cyrillic а: the ASCII form shows that it is another domain.
    ['https://p\u0430ypal.com', 'https://xn--pypal-4ve.com/', 'xn--pypal-4ve.com'],
    ['https://example.com/\u202Egnp.exe', 'https://example.com/%E2%80%AEgnp.exe', 'example.com'],
  ])('%s opens as %s at %s', (href, opens, host) => {
    expect(linkTarget(href)).toEqual({ type: 'open', href: opens, host });
  });

  it.each([
    "javascript:document.title='XSS'",
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'espalier://run/run_1',
    'blob:https://example.com/x',
    '/relative',
    '#anchor',
    '//example.com/x',
    '',
  ])('refuses %j', (href) => {
    expect(linkTarget(href).type).toBe('refused');
  });

  it('shows hidden characters of a refused address', () => {
    expect(linkTarget('file:///\u200Betc')).toEqual({ type: 'refused', shown: 'file:///⟨U+200B⟩etc' });
  });
});
