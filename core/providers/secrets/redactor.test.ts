import { describe, expect, test } from 'vitest';
import { loopbackBundle } from '../stream/dialects.ts';
import { Settings } from '../../protocol/settings.ts';
import { redactor, secretsOf } from './redactor.ts';
import { settingsSecrets, variableSecrets } from './secret-values.ts';

describe('case 51: secrets are taken out of texts (B39, K4)', () => {
  const redact = redactor(['CANARY-2 a/b+"c', 'CANARY-2']);

  test.each([
    ['as it is', 'x CANARY-2 a/b+"c y'],
    ['in JSON', JSON.stringify({ k: 'CANARY-2 a/b+"c' })],
    ['in a URL', `http://h/?x=${encodeURIComponent('CANARY-2 a/b+"c')}`],
    ['the shorter one', 'CANARY-2!'],
    ['a bearer token', 'Authorization: Bearer CANARY-3'],
    ['basic credentials', 'basic Q0FOQVJZ'],
    ['user info and key of a URL', 'GET https://u:CANARY-4@h/x?key=CANARY-5&a=1'],
    ['an api_key parameter', 'https://h/x?a=1&api_key=CANARY-5'],
    ['a token parameter', 'https://h/x?access_token=CANARY-5#f'],
    ['a header', 'x-api-key: CANARY-6'],
    ['a header in JSON', '{"x-goog-api-key":"CANARY-6"}'],
    ['a key by its form', 'Incorrect API key provided: sk-test-CANARY-1.'],
    ['a user in a connection string', 'postgres://CANARY-7@h/db'],
  ])('%s', (_name, text) => {
    const clean = redact(text);
    expect(clean).toContain('[redacted]');
    expect(clean).not.toContain('CANARY');
    expect(clean).not.toContain('Q0FO');
  });

  test('a key inside of a whole configuration in one variable of an agent, as opencode has', () => {
    const config = { provider: { own: { options: { apiKey: 'CANARY-8', baseURL: 'https://example.com' } } } };
    expect(
      variableSecrets({ CONFIG_CONTENT: JSON.stringify(config), OTHER: '{no json', PLAIN: 'value-of-it' }),
    ).toEqual(['CANARY-8']);
  });

  test('what is no secret stays', () => {
    const text = 'See https://example.com/a?page=2&monkey=1 or user@example.com; the bearer of bad news, key: 3, sk-1';
    expect(redact(text).replace('[redacted]', '1')).toBe(text);
    expect(redact('https://example.com/@scope/pkg')).toBe('https://example.com/@scope/pkg');
  });

  test('a very short secret does not blank out words', () => {
    expect(redactor(['a', ''])('banana')).toBe('banana');
  });

  test('a long text without secrets takes no time', () => {
    const text = 'authorization : '.repeat(20_000) + 'a'.repeat(200_000) + '://'.repeat(50_000);
    // Looked through again from each of its places, it would outlast the test.
    expect(redact(text).endsWith('://://')).toBe(true);
  });

  test('the secrets of a bundle: key, address, headers', () => {
    const bundle = {
      ...loopbackBundle('openai-compatible', 'http://user:CANARY-4@127.0.0.1:1/v1?key=CANARY-5', 'CANARY-1'),
      headers: { 'X-Auth': 'Token CANARY-3', Accept: 'text/plain' },
    };
    expect(secretsOf(bundle)).toEqual(
      expect.arrayContaining(['CANARY-1', 'CANARY-4', 'CANARY-5', 'Token CANARY-3', 'CANARY-3']),
    );
    expect(secretsOf(bundle)).not.toContain('text/plain');
  });

  test('a secret in a header of any name, in a cookie or in the extras of a body is one too', () => {
    const bundle = {
      ...loopbackBundle('anthropic', 'http://127.0.0.1:1/v1', 'CANARY-0'),
      headers: {
        'x-extra': 'CANARY-1-plain',
        'X-Org': 'Custom CANARY-2-scheme',
        cookie: 'a=CANARY-3-cookie; b=1',
        'anthropic-version': '2023-06-01',
        'User-Agent': 'espalier-test',
        'x-flag': 'on',
      },
      extraBody: { user: 'somebody', metadata: { api_token: 'CANARY-4-body', tags: ['plain tag'] } },
    };
    const clean = redactor(secretsOf(bundle))(
      'CANARY-1-plain CANARY-2-scheme CANARY-3-cookie CANARY-4-body 2023-06-01 espalier-test on somebody plain tag',
    );
    const mask = '[redacted]';
    expect(clean).toBe(`${mask} ${mask} ${mask} ${mask} 2023-06-01 espalier-test on somebody plain tag`);
  });

  test('the settings give all that may authenticate, of providers and agents', () => {
    const { providers, agents } = Settings.parse({
      providers: {
        own: {
          kind: 'anthropic',
          baseUrl: 'https://u:CANARY-1-pw@h/v1?x=CANARY-2-par',
          headers: { 'x-extra': 'CANARY-3' },
        },
      },
      agents: {
        mine: {
          runner: 'builtin',
          headers: { 'x-odd': 'CANARY-4' },
          extraBody: { password: 'CANARY-5' },
          env: { MY_PASS: 'CANARY-6', PLAIN: 'stays here' },
        },
      },
    });
    const found = settingsSecrets({ providers, agents });
    expect(new Set(found.filter((text) => text.startsWith('CANARY'))).size).toBe(6);
    expect(found).not.toContain('stays here');
  });
});
