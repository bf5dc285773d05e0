import { expect, test } from 'vitest';
import { Settings } from '../../protocol/settings.ts';
import { proposedModel, recommendedModel } from './proposed.ts';
import { MODEL_TABLE } from './table.ts';

const proposed = (settings: object, environment: Record<string, string>): string | null =>
  proposedModel(Settings.parse(settings), environment);

const own = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', models: { first: {}, second: {} } };

test.each([
  ['no key', {}, {}, null],
  ['a blank key', {}, { ANTHROPIC_API_KEY: ' ' }, null],
  ['one key', {}, { OPENAI_API_KEY: 'k' }, 'openai/gpt-5'],
  ['two keys', {}, { GEMINI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, 'anthropic/claude-sonnet-5-5'],
  ['a provider of the settings and a key', { providers: { mine: own } }, { ANTHROPIC_API_KEY: 'k' }, 'mine/first'],
  [
    'a provider whose variable is not set',
    { providers: { mine: { ...own, apiKeyEnv: 'MINE' } } },
    { OPENAI_API_KEY: 'k' },
    'openai/gpt-5',
  ],
  [
    'a vendor of the settings',
    { providers: { google: { kind: 'google', apiKeyEnv: 'G' } } },
    { G: 'k' },
    'google/gemini-3.6-flash',
  ],
])('with %s %j the model that holds without a choice is the right one', (_, settings, environment, model) => {
  expect(proposed(settings, environment)).toBe(model);
});

test.each(Object.keys(MODEL_TABLE) as (keyof typeof MODEL_TABLE)[])(
  '%s: what is recommended has a price, and is not the dearest',
  (vendor) => {
    const { models } = MODEL_TABLE[vendor];
    const recommended = models[recommendedModel(vendor) ?? ''];
    const dearest = Math.max(...Object.values(models).map(({ price }) => price?.output ?? 0));
    expect(recommended?.price?.output).toBeGreaterThan(0);
    // Of some vendors the dear ones have no price of one figure.
    const unpriced = Object.values(models).some(({ price }) => price === null);
    if (!unpriced || vendor === 'anthropic') expect(recommended?.price?.output).toBeLessThan(dearest);
  },
);
