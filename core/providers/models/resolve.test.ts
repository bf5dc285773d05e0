import { describe, expect, test } from 'vitest';
import { Settings } from '../../protocol/settings.ts';
import { withExtras } from './bundle.ts';
import { parseModelRef, resolveModel } from './resolve.ts';
import type { Environment } from './resolve.ts';
import { MODEL_TABLE } from './table.ts';

function resolve(providers: unknown, ref: string, env: Environment = {}) {
  return resolveModel(Settings.parse({ providers }), ref, env);
}

function bundle(providers: unknown, ref: string, env: Environment = {}) {
  const result = resolve(providers, ref, env);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function codeOf(providers: unknown, ref: string, env: Environment = {}) {
  const result = resolve(providers, ref, env);
  return result.ok ? null : result.error.code;
}

describe('model references', () => {
  test.each([
    ['anthropic/claude-opus-5-5', { provider: 'anthropic', model: 'claude-opus-5-5' }],
    ['router/vendor/model:free', { provider: 'router', model: 'vendor/model:free' }],
    [' ollama/qwen3:8b ', { provider: 'ollama', model: 'qwen3:8b' }],
    ['claude', null],
    ['/x', null],
    ['x/', null],
    ['a b/c', null],
    ['a/b c', null],
  ])('%s', (ref, expected) => {
    expect(parseModelRef(ref)).toEqual(expected);
  });
});

describe('K4: provider, endpoint and key are one bundle', () => {
  test('a vendor works without settings, with its key, window and price', () => {
    expect(bundle({}, 'anthropic/claude-opus-5-5', { ANTHROPIC_API_KEY: ' k1 ' })).toEqual({
      provider: 'anthropic',
      kind: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      key: 'k1',
      headers: {},
      extraBody: {},
      model: 'claude-opus-5-5',
      contextWindow: 1_000_000,
      maxOutput: 128_000,
      price: { input: 4, cacheWrite: 5, cachedInput: 0.2, output: 20 },
    });
  });

  test('K4: a vendor key is not sent to another address, and the price is not assumed there', () => {
    const providers = { proxy: { kind: 'anthropic', baseUrl: 'http://127.0.0.1:9' } };
    const env = { ANTHROPIC_API_KEY: 'k1' };
    expect(bundle(providers, 'proxy/claude-opus-5-5', env)).toMatchObject({
      key: null,
      price: null,
      baseUrl: 'http://127.0.0.1:9/v1',
    });
  });

  test('K4: a look-alike host is not the vendor', () => {
    const providers = { x: { kind: 'openai', baseUrl: 'https://api.openai.com.evil.example/v1' } };
    expect(bundle(providers, 'x/gpt-5', { OPENAI_API_KEY: 'k' }).key).toBeNull();
  });

  test('K4: apiKeyEnv is the only key of its provider', () => {
    const providers = { anthropic: { kind: 'anthropic', apiKeyEnv: 'MINE' } };
    expect(bundle(providers, 'anthropic/m', { MINE: 'm', ANTHROPIC_API_KEY: 'k' }).key).toBe('m');
    expect(codeOf(providers, 'anthropic/m', { ANTHROPIC_API_KEY: 'k' })).toBe('no_key');
  });

  test('Gemini has two names for its key, and the first one set counts', () => {
    expect(bundle({}, 'google/gemini-2.5-flash', { GEMINI_API_KEY: 'b' }).key).toBe('b');
    expect(bundle({}, 'google/x', { GOOGLE_GENERATIVE_AI_API_KEY: 'a', GEMINI_API_KEY: 'b' }).key).toBe('a');
  });

  test('local servers need no key', () => {
    expect(bundle({}, 'ollama/qwen3')).toMatchObject({
      key: null,
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      price: null,
    });
    const providers = { mine: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:7777/' } };
    expect(bundle(providers, 'mine/m').baseUrl).toBe('http://127.0.0.1:7777/v1');
    expect(bundle({ mine: { kind: 'openai-compatible', baseUrl: 'https://h/api/v3/' } }, 'mine/m').baseUrl).toBe(
      'https://h/api/v3',
    );
  });

  test('settings override the table', () => {
    const models = { 'gpt-5': { contextWindow: 8000, price: { input: 9, output: 9 } } };
    const found = bundle({ openai: { kind: 'openai', models } }, 'openai/gpt-5', { OPENAI_API_KEY: 'k' });
    expect(found).toMatchObject({ contextWindow: 8000, maxOutput: 128_000, price: { input: 9, output: 9 } });
  });

  test('a dated name finds its model; an unknown one has no price', () => {
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
    expect(bundle({}, 'anthropic/claude-haiku-4-5-20251001', env).price).toEqual(
      MODEL_TABLE.anthropic.models['claude-haiku-4-5']?.price,
    );
    expect(bundle({}, 'openai/gpt-5-2025-08-07', env).contextWindow).toBe(400_000);
    expect(bundle({}, 'openai/gpt-99', env)).toMatchObject({ price: null, contextWindow: null });
  });

  test('what is missing is said', () => {
    expect(codeOf({}, 'nope')).toBe('bad_model_ref');
    expect(codeOf({}, 'nope/x')).toBe('unknown_provider');
    expect(codeOf({}, 'constructor/x')).toBe('unknown_provider');
    expect(codeOf({ x: { kind: 'openai-compatible' } }, 'x/y')).toBe('no_base_url');
    const result = resolve({}, 'openai/gpt-5', { OPENAI_API_KEY: ' ' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'no_key', message: expect.stringContaining('OPENAI_API_KEY') },
    });
  });

  test('K4: request extras merge settings < agent', () => {
    const providers = {
      x: {
        kind: 'openai-compatible',
        baseUrl: 'http://h/v1',
        headers: { 'X-A': '1', 'X-B': '1' },
        extraBody: { o: { a: 1, b: 1 }, l: [1] },
      },
    };
    const merged = withExtras(bundle(providers, 'x/y'), {
      headers: { 'x-b': '2' },
      extraBody: { o: { b: 2 }, l: [2] },
    });
    expect(merged.headers).toEqual({ 'x-a': '1', 'x-b': '2' });
    expect(merged.extraBody).toEqual({ o: { a: 1, b: 2 }, l: [2] });
  });

  test('a bundle is plain JSON', () => {
    const one = bundle({}, 'anthropic/claude-opus-5-5', { ANTHROPIC_API_KEY: 'k' });
    expect(JSON.parse(JSON.stringify(one))).toEqual(one);
  });
});
