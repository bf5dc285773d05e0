import { expect, test } from 'vitest';
import { err, ok } from '../core/kit/result.ts';
import { type CoreAccess, openCore } from './open-core.ts';

const LOCKED = { code: 'home_locked', message: 'Another process hosts the core.' } as const;
const local = { servePort: () => undefined, close: () => Promise.resolve() };

function running(url = 'http://127.0.0.1:4000/#t') {
  const closed = { times: 0 };
  const core = {
    listen: () => Promise.resolve(ok(url)),
    close: () => {
      closed.times += 1;
      return Promise.resolve();
    },
  };
  return { core, closed };
}

test('no core is up → one is hosted', async () => {
  const access: CoreAccess<null> = { connect: () => Promise.resolve(null), host: () => Promise.resolve(ok(local)) };
  expect(await openCore(access)).toEqual(ok({ type: 'hosted', core: local }));
});

test('a core is up → its page is shown and none is hosted (D2)', async () => {
  const { core } = running();
  const access: CoreAccess<null> = {
    connect: () => Promise.resolve(ok(core)),
    host: () => Promise.reject(new Error('hosted a second core')),
  };
  expect(await openCore(access)).toEqual(ok({ type: 'joined', core, url: 'http://127.0.0.1:4000/#t' }));
});

test('a core began meanwhile → it is joined after all', async () => {
  const { core } = running();
  let asked = 0;
  const access: CoreAccess<null> = {
    connect: () => Promise.resolve(asked++ === 0 ? null : ok(core)),
    host: () => Promise.resolve(err(LOCKED)),
  };
  expect(await openCore(access)).toMatchObject({ ok: true, value: { type: 'joined' } });
});

test('a core that refuses to listen is let go, and its reason is told', async () => {
  const { core, closed } = running();
  const access: CoreAccess<null> = {
    connect: () => Promise.resolve(ok({ ...core, listen: () => Promise.resolve(err(LOCKED)) })),
    host: () => Promise.reject(new Error('hosted a second core')),
  };
  expect(await openCore(access)).toEqual(err(LOCKED));
  expect(closed.times).toBe(1);
});

test('a core that cannot be hosted and is not up tells why', async () => {
  const access: CoreAccess<null> = { connect: () => Promise.resolve(null), host: () => Promise.resolve(err(LOCKED)) };
  expect(await openCore(access)).toEqual(err(LOCKED));
});
