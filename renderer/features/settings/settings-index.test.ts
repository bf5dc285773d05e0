import { expect, test } from 'vitest';
import { Limits } from '../../../core/protocol/settings.ts';
import { findSettings, INDEX, SECTIONS } from './settings-index.ts';

test('every limit of the settings file can be found by its key, and every section has something to find', () => {
  for (const key of Object.keys(Limits.shape)) {
    expect(findSettings(`limits.${key}`).map(({ id }) => id)).toContain(`limits.${key}`);
  }
  expect(new Set(INDEX.map(({ section }) => section))).toEqual(new Set(SECTIONS));
});

test('all words of a query must fit; a name that begins with it comes first', () => {
  expect(findSettings('contrast')[0]?.id).toBe('contrast');
  expect(findSettings('money day').map(({ id }) => id)).toEqual(['limits.dayCostUsd']);
  expect(findSettings('')).toEqual([]);
  expect(findSettings('zebra')).toEqual([]);
});
