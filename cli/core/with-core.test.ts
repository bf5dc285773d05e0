import { expect, test } from 'vitest';
import { withCore } from './with-core.ts';
import { world } from '../testing/command-world.ts';

test('D5: a core that is hosted for one command is closed when it has settled what an earlier one left, also after a failure', async () => {
  for (const fails of [false, true]) {
    const settled = Promise.withResolvers<void>();
    let asked = 0;
    const hosted = {
      ...{ clients: () => 0, atWork: () => 1 },
      settled: () => {
        asked += 1;
        return settled.promise;
      },
    };
    const { context, seen } = world({}, { hosted });
    const used = withCore(context, () => (fails ? Promise.reject(new Error('no')) : Promise.resolve('yes')));
    await expect.poll(() => asked).toBe(1);
    expect(seen.closed).toBe(0);
    settled.resolve();
    expect(await used.catch((error: unknown) => String(error))).toBe(fails ? 'Error: no' : 'yes');
    expect(seen.closed).toBe(1);
  }
});
