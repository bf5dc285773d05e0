import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taxFor, taxOfLines } from '../src/tax.js';

test('knows the rate of each country', () => {
  assert.equal(taxFor(100, 'DE'), 7);
  assert.equal(taxFor(100, 'IE'), 0);
});

test('adds the tax of all lines', () => {
  assert.equal(taxOfLines([{ price: 10, quantity: 2 }], 'NL'), 1.8);
});
