import { axeFindings } from './fixtures/axe.ts';
import { call, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import type { App } from './pages/app.ts';

/** Text that is marked in the transcript as the place one was led to. */
const markedText = (app: App) =>
  app.page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('transcript-here') ?? [])];
    return range === undefined ? null : range.toString();
  });

/** Whether that place is inside of what the transcript shows. */
const markIsInView = (app: App) =>
  app.page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('transcript-here') ?? [])] as Range[];
    const view = document.querySelector('.transcript-scroller')?.getBoundingClientRect();
    const place = range?.getBoundingClientRect();
    return view !== undefined && place !== undefined && place.top >= view.top && place.bottom <= view.bottom;
  });

/** Places of the transcript's rows that are put on the page meanwhile. */
async function rowsDrawn(app: App, meanwhile: () => Promise<void>): Promise<number[]> {
  const seen = await app.page.evaluateHandle(() => {
    const drawn: number[] = [];
    const observer = new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof HTMLElement)) continue;
        const rows = node.matches('.transcript-row') ? [node] : node.querySelectorAll<HTMLElement>('.transcript-row');
        for (const row of rows) drawn.push(Number(row.dataset['index']));
      }
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return { drawn, observer };
  });
  await meanwhile();
  return seen.evaluate(({ drawn, observer }) => {
    observer.disconnect();
    return [...new Set(drawn)];
  });
}

const FILLER = Array.from({ length: 120 }, (_, at) => `Row ${at}: nothing but pears.`).join('\n');

test('a hit in a long transcript opens it at the entry and line, marked, by the keyboard alone', async ({
  app,
  model,
  start,
}) => {
  const many = Array.from({ length: 30 }, (_, at) => [
    { text: `Looking at tree ${at}.\n\n` },
    call('ls', { path: '.' }),
  ]);
  model.setScript(
    script(
      talk(
        'Look for the grafting knife',
        [
          { text: 'I print the store.' },
          call('bash', {
            command: `printf '%s\\n' '${FILLER}' 'The grafting knife is in the Blue drawer.' '${FILLER}'`,
          }),
        ],
        ...many,
        'Found it.',
      ),
      talk('Count the pears', 'There are no drawers here.'),
    ),
  );
  await start({
    version: 1,
    title: 'Tools of the orchard',
    defaults: { permission: 'auto' },
    tasks: [
      { goal: 'Look for the grafting knife', label: 'Find the knife' },
      { goal: 'Count the pears', label: 'Count pears' },
    ],
  });
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');

  await app.search.open();
  await expect(app.search.box).toBeFocused();
  await app.page.keyboard.type('blue drawer');
  await expect(app.search.group('Tools of the orchard')).toContainText('Transcript, line');
  await expect(app.search.status).toContainText('in 1 conversation');
  await expect(app.search.hit('Find the knife').first().locator('mark').first()).toHaveText(/blue|drawer/i);
  await app.search.scope.selectOption('Transcripts');
  await expect(app.search.hit(/grafting knife is in the Blue drawer/)).not.toHaveCount(0);
  await app.search.box.focus();
  await app.page.keyboard.press('Enter');

  await expect(app.search.root).toBeHidden();
  await expect(app.inspector.title).toContainText('Find the knife');
  await expect.poll(() => markedText(app)).toBe('Blue drawer');
  await expect.poll(() => markIsInView(app)).toBe(true);

  // From there on in the transcript: its end, and what is found in it alone.
  const { panel } = app.inspector;
  await app.inspector.button('Jump to end').click();
  await expect(panel.getByText('Found it.')).toBeVisible();
  const find = panel.getByRole('search');
  await expect(find.getByRole('textbox')).toHaveValue('blue drawer');
  await find.getByRole('textbox').fill('Looking at tree');
  await expect(find.getByRole('status')).toContainText('30');
  await find.getByRole('button', { name: 'Previous match' }).click();
  await expect(find.getByRole('status')).toHaveText(/^\d+ of 30$/);
  const told = await find.getByRole('status').textContent();
  await find.getByRole('button', { name: 'Previous match' }).click();
  await expect(find.getByRole('status')).not.toHaveText(told ?? '');
  await find.getByRole('button', { name: 'Next match' }).click();
  await expect(find.getByRole('status')).toHaveText(told ?? '');
  await find.getByRole('button', { name: 'Close find' }).click();
  await expect(find).toBeHidden();

  // Opened anew it is drawn at its end: a page of rows at its top would be drawn for nobody.
  await app.tree.open('Count pears');
  await expect(app.inspector.title).toContainText('Count pears');
  await app.inspector.show('Transcript');
  // Its own rows are drawn before those of the other one are looked at.
  await expect(app.inspector.panel.getByText('There are no drawers here.').first()).toBeVisible();
  const drawn = await rowsDrawn(app, async () => {
    await app.tree.open('Find the knife');
    await app.inspector.show('Transcript');
    await expect(app.inspector.panel.getByText('Found it.').first()).toBeVisible();
  });
  expect(drawn.length).toBeGreaterThan(0);
  expect(Math.min(...drawn)).toBeGreaterThan(0);

  // And it stays there, whatever becomes of the window.
  for (const [width, height] of [
    [640, 900],
    [640, 400],
    [1440, 900],
  ] as const) {
    await app.page.setViewportSize({ width, height });
    await expect(app.inspector.panel.getByText('Found it.').last()).toBeInViewport();
  }
});

test('titles, goals and results are found from the sidebar and from the palette; a result opens as one', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Weigh the quinces', 'They weigh eleven pounds.')));
  await start({ version: 1, title: 'Autumn fair', tasks: [{ goal: 'Weigh the quinces', label: 'Quince weight' }] });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');

  await app.sidebar.search.fill('eleven');
  await expect(app.sidebar.root).toContainText('Nothing matches.');
  await app.sidebar.search.press('Enter');
  await expect(app.search.box).toHaveValue('eleven');
  await app.search.scope.selectOption('Results');
  // What was found everywhere stands until what is in the results has come.
  await expect(app.search.hit('eleven pounds')).toHaveCount(1);
  await app.search.hit('eleven pounds').click();
  await expect(app.inspector.root.getByRole('tab', { name: 'Result' })).toHaveAttribute('aria-selected', 'true');
  await expect(app.inspector.panel).toContainText('They weigh eleven pounds.');

  await app.typeInPalette('autumn fair');
  await app.page.getByRole('option', { name: 'Search everything for “autumn fair”' }).click();
  await expect(app.search.hit('Title')).toContainText('Autumn fair');
  await app.search.box.fill('no such words anywhere');
  await expect(app.search.status).toHaveText('Nothing was found.');

  // A goal opens where the transcript has it, marked.
  await app.search.box.fill('quinces');
  await app.search.scope.selectOption('Titles and goals');
  await expect(app.search.hit('Goal')).toHaveCount(1);
  await app.search.hit('Goal').click();
  const { panel } = app.inspector;
  await expect(panel.getByRole('search').getByRole('textbox')).toHaveValue('quinces');
  await expect(panel.locator('[data-found="true"]')).toContainText('Weigh the quinces');
});

test('many hits are shown by and by, arrow keys walk through them, and axe finds nothing', async ({ app, start }) => {
  const tasks = Array.from({ length: 70 }, (_, at) => ({
    goal: `echo prune tree ${at}`,
    label: `Tree ${at}`,
    agent: 'command',
  }));
  await start({ version: 1, title: 'Pruning', tasks });
  await app.search.open();
  await app.search.box.fill('prune');
  await app.search.scope.selectOption('Titles and goals');
  await expect(app.search.status).toContainText('More than 50 places');
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  const first = await app.search.current.textContent();
  await app.search.box.press('ArrowDown');
  await expect(app.search.current).not.toHaveText(first ?? '');
  await app.search.box.press('ArrowUp');
  await app.search.box.press('ArrowUp');
  await expect(app.search.current).toHaveText('Show more');
  await app.search.box.press('Enter');
  await expect(app.search.status).toHaveText(/^7\d places/);
});

test('what was found stays text: no script, style or request of it (B31)', async ({ app, model, start }) => {
  const hostile = `<img src=x onerror="document.title='XSS'"> <style>*{display:none}</style> marmalade`;
  model.setScript(script(talk('Cook', `${hostile} cooked`)));
  await start({
    version: 1,
    title: `Cooking ${hostile}`,
    tasks: [{ goal: `Cook ${hostile}`, label: `Pot ${hostile} \u202Eexe` }],
  });
  await app.search.open();
  await app.search.box.fill('marmalade');
  await expect(app.search.hit('Title').first()).toContainText('<style>*{display:none}</style>');
  await expect(app.search.root).toContainText('⟨U+202E⟩');
  await expect(app.page).toHaveTitle(/Espalier/);
});
