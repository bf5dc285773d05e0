import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../kit/random.ts';
import { AttemptKeys } from './attempt-keys.ts';
import { secretHash } from './secret-hash.ts';

describe('what a worker must show', () => {
  test('the token is good for one connection', () => {
    const keys = new AttemptKeys({ token: secretHash('token'), secret: null });
    expect(keys.spendToken('another')).toBe(false);
    expect(keys.spendToken('token')).toBe(true);
    expect(keys.spendToken('token')).toBe(false);
  });

  test('the secret that was made counts at once, and is given for the welcome only until it is sent', () => {
    const keys = new AttemptKeys({ token: secretHash('token'), secret: null });
    const secret = keys.makeSecret(systemRandom);
    expect(keys.isSecret(secret)).toBe(true);
    expect(keys.spendToken('token')).toBe(false);
    expect(keys.unsent).toBe(secret);
    keys.sent();
    expect(keys.unsent).toBeNull();
    expect(keys.isSecret(secret)).toBe(true);
  });

  test('D5: after a restart of the core the stored hash tells the secret; revoked, nothing is right any more', () => {
    const keys = new AttemptKeys({ token: null, secret: secretHash('secret') });
    expect(keys.isSecret('secret')).toBe(true);
    keys.revoke();
    expect(keys.isSecret('secret')).toBe(false);
  });
});
