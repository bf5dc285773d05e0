import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLine, cartTotal, createCart } from '../src/cart.js';

const book = (sku, price) => ({ sku, price });

test('adds the lines of a cart', () => {
  const cart = addLine(addLine(createCart(), book('a', 18.99), 2), book('b', 9.95));
  assert.equal(cartTotal(cart), 47.93);
});

test('takes ten percent off', () => {
  const cart = { ...addLine(createCart(), book('a', 24.5), 2), voucher: 'READER10' };
  assert.equal(cartTotal(cart), 44.1);
});

test('never goes below zero', () => {
  const cart = { ...addLine(createCart(), book('a', 3.5)), voucher: 'WELCOME5' };
  assert.equal(cartTotal(cart), 0);
});
