import { describe, expect, test } from 'vitest';
import { givenArguments, SERVED_HERE } from '../testing/fake-context.ts';
import { world } from '../testing/command-world.ts';
import * as serve from './serve.ts';

describe('espalier serve', () => {
  const url = 'http://127.0.0.1:9/#token=t';

  test('where a core runs it is asked to listen, its address is printed, and it stays until Ctrl-C all the same', async () => {
    const { context, seen, inputs, interrupt } = world({ 'app.listen': () => ({ url }) });
    const running = serve.run(context, givenArguments([], { json: true, port: '9' }));
    await expect.poll(() => seen.notes.join()).toContain('Another process hosts the core and this address.');
    expect(JSON.parse(seen.out)).toEqual({ url, pid: 7, home: '/home/of/espalier' });
    expect(inputs('app.listen')).toEqual([{ port: 9, host: '127.0.0.1' }]);
    expect(seen.closed).toBe(0);
    interrupt();
    expect(await running).toBe(0);
    expect(seen.closed).toBe(1);
  });

  test('D2: when that core ends its place is taken, at the same address with the same token, as soon as that can be', async () => {
    const goes = Promise.withResolvers<void>();
    const hosted = { clients: () => 0, atWork: () => 0 };
    const more = { hosted, goes: goes.promise, refusals: 1 };
    const { context, seen, interrupt } = world({ 'app.listen': () => ({ url }) }, more);
    const running = serve.run(context, givenArguments([]));
    await expect.poll(() => seen.notes).toHaveLength(1);
    goes.resolve();
    await expect
      .poll(() => seen.notes.slice(1), { timeout: 10_000 })
      .toEqual([
        'The web app is not served just now. Port 9 is in use.',
        'The core has ended; process 7 has taken its place, at the same address.',
      ]);
    const same = { port: 9, host: '127.0.0.1', token: 't' };
    expect(seen.served).toEqual([{ port: 0, host: '127.0.0.1' }, same, same]);
    expect(seen.out).toBe(`${url}\n`);
    interrupt();
    expect(await running).toBe(0);
  });

  test('else it stays until Ctrl-C, and says that live runs go on', async () => {
    const hosted = { clients: () => 0, atWork: () => 2 };
    const { context, seen, interrupt } = world({}, { hosted });
    const running = serve.run(context, givenArguments([]));
    await expect.poll(() => seen.out).toBe(`${SERVED_HERE}\n`);
    expect(seen.closed).toBe(0);
    interrupt();
    expect(await running).toBe(0);
    expect(seen.notes).toEqual(['2 runs go on without the core; the next start takes up what they do meanwhile.']);
    expect(seen.closed).toBe(1);
  });
});
