import { held, script } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('running arcs turn in phase, and no frame is laid out for them', async ({ app, model, start }) => {
  model.setScript(script(held('Count', 'turn')));
  await start({ version: 1, title: 'Turning', tasks: ['Count the trees', 'Count the leaves', 'Count the apples'] });
  await expect(app.tree.rowThat('Count the apples', 'Running')).toBeVisible();
  const session = await app.page.context().newCDPSession(app.page);
  await session.send('Performance.enable');
  const layouts = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0;
  };
  const before = await layouts();
  const began = performance.now();
  const starts = await app.page.evaluate(async () => {
    for (let frame = 0; frame < 60; frame += 1) await new Promise(requestAnimationFrame);
    const arcs = [...document.querySelectorAll('.arc')];
    return arcs.flatMap((arc) => arc.getAnimations().map(({ startTime }) => startTime as number | null));
  });
  // A clock that goes on changes its own text; an arc inside an SVG would be one layout a frame.
  const seconds = (performance.now() - began) / 1000;
  expect((await layouts()) - before).toBeLessThan(20 + 8 * seconds);
  expect(starts.length).toBeGreaterThan(2);
  expect(new Set(starts)).toEqual(new Set([0]));
});
