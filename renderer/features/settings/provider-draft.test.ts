import { describe, expect, test } from 'vitest';
import { draftOf, faultOf, NEW_PROVIDER, providerOf } from './provider-draft.ts';

const acme = {
  kind: 'openai-compatible' as const,
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKeyEnv: 'ACME_KEY',
  headers: { 'x-team': 'pears' },
  extraBody: { top_k: 1 },
  models: { small: { price: { input: 1, output: 2 } }, large: {} },
};

describe('the form of a provider', () => {
  test('there and back: what the form does not show stays, prices of models too', () => {
    expect(providerOf(draftOf('acme', acme), acme)).toEqual(acme);
    const draft = { ...draftOf('acme', acme), apiKeyEnv: '', models: ' small \n\nsmall\nnew' };
    const { apiKeyEnv: _key, ...rest } = acme;
    expect(providerOf(draft, acme)).toEqual({ ...rest, models: { small: acme.models.small, new: {} } });
  });

  const good = { ...NEW_PROVIDER, id: 'acme', baseUrl: 'https://acme.example/v1' };
  test.each([
    ['an empty name', { ...good, id: '' }, 'id'],
    ['a name with a dot', { ...good, id: 'a.b' }, 'id'],
    ['a name that is taken', { ...good, id: 'old' }, 'id'],
    ['no address where one is needed', { ...good, baseUrl: '' }, 'baseUrl'],
    ['an address that runs a script', { ...good, baseUrl: 'javascript:alert(1)' }, 'baseUrl'],
    ['a file', { ...good, baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    ['K4: a key in place of the name of its variable', { ...good, apiKeyEnv: 'sk-live-123' }, 'apiKeyEnv'],
  ] as const)('%s is refused at its field', (_, draft, field) => {
    expect(faultOf(draft, ['old'])?.field).toBe(field);
  });

  test('a vendor needs no address, and an open server no key', () => {
    expect(faultOf(good, ['old'])).toBeNull();
    expect(faultOf({ ...NEW_PROVIDER, id: 'mine', kind: 'anthropic' }, [])).toBeNull();
  });
});
