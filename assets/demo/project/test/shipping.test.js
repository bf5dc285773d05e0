import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippingFor } from '../src/shipping.js';

test('is free from forty euros', () => {
  assert.equal(shippingFor(40, 'DE'), 0);
  assert.equal(shippingFor(39.99, 'DE'), 2.95);
});
