import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

/** What agents and strangers write, and must stay text (B31). `port`: a listener that nobody may ask. */
const hostile = (port: number): readonly string[] => [
  `<img src=x onerror="document.title='XSS'">`,
  `[a](javascript:document.title='XSS')`,
  `<svg onload="document.title='XSS'"></svg>`,
  `<iframe srcdoc="<script>parent.document.title='XSS'</script>"></iframe>`,
  `![p](http://127.0.0.1:${port}/leak?q=1)`,
  `<img src="http://127.0.0.1:${port}/leak?q=2">`,
  '<style>*{display:none}</style>',
  '[x](file:///etc/passwd)',
  'safe\u202Egnp.exe\u200B\u2066end',
  `<a href="http://127.0.0.1:${port}/leak?q=3" ping="http://127.0.0.1:${port}/leak?q=4">click</a>`,
];

test('hostile text in goal, label, model text, tool output and error stays text: no script, style or request (B31)', async ({
  app,
  model,
  place,
  start,
}) => {
  const asked: string[] = [];
  const listener = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  try {
    const texts = hostile((listener.address() as AddressInfo).port);
    const all = texts.join('\n\n');
    place.write('hostile.md', all);
    place.write(`<img src=x onerror=alert(1)>.txt`, 'x');
    const mermaid =
      '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B\n```\n\n$$\\href{javascript:alert(1)}{x}$$';
    model.setScript(
      script(
        talk(
          'Read the hostile file',
          [{ reasoning: all }, { text: all }, call('read', { path: 'hostile.md' }), call('ls', { path: '.' })],
          [
            { text: mermaid },
            call('bash', { command: 'cat hostile.md; printf "\\033]0;XSS\\007\\033]52;c;WFNT\\007"' }),
          ],
          all,
        ),
        talk('Fail with hostile words', { fault: { status: 400, message: all } }),
      ),
    );
    const [image = ''] = texts;
    await start({
      version: 1,
      title: `Harvest ${image}`,
      defaults: { permission: 'auto' },
      tasks: [
        { goal: `Read the hostile file ${all}`, label: `Reading ${image}` },
        { goal: `Fail with hostile words ${all}`, label: `Failing ${image}` },
      ],
    });
    await expect(app.tree.set(1)).toContainText('2 of 2 ended');
    const title = await app.page.title();
    await expect(app.heading).toContainText(image);
    await expect(app.tree.rowThat('Failing', 'Failed')).toContainText('<img src=x');
    await app.tree.open(`Reading`);
    const { panel } = app.inspector;
    await expect(panel).toContainText('onerror');
    await expect(panel.getByText('hostile.md').first()).toBeVisible();
    const folded = panel.getByRole('button', { expanded: false });
    while ((await folded.count()) > 0) await folded.first().click();
    await app.inspector.show('Result');
    await expect(panel).toContainText('onerror');

    for (const element of ['img', 'iframe', 'style', 'object', 'embed', 'script'])
      await expect(panel.locator(element)).toHaveCount(0);
    await expect(panel.locator('a[href^="javascript:"], a[href^="file:"], a[ping]')).toHaveCount(0);
    expect(await app.page.title()).toBe(title);
    expect(title).not.toContain('XSS');
    expect(asked).toEqual([]);
    expect(await app.page.evaluate(() => navigator.clipboard.readText())).toBe('');
  } finally {
    await new Promise((resolve) => listener.close(resolve));
  }
});

test('a link in an answer opens only after its real target was shown (B31)', async ({ app, model, start }) => {
  model.setScript(script(talk('Name a page', 'See [our page](http://example.invalid/apples?from=trees).')));
  await start({ version: 1, title: 'Link', tasks: ['Name a page'] });
  await app.tree.open('Name a page');
  const pages = app.page.context().pages().length;
  await app.inspector.panel
    .getByRole('link', { name: 'our page' })
    .or(app.inspector.panel.getByRole('button', { name: 'our page' }))
    .click();
  const dialog = app.page.getByRole('dialog', { name: 'Open this link?' });
  await expect(dialog).toContainText('http://example.invalid/apples?from=trees');
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(app.page.context().pages()).toHaveLength(pages);

  await app.inspector.show('Result');
  const link = app.inspector.panel.getByRole('link', { name: 'our page' });
  await link.click();
  await dialog.getByRole('button', { name: 'Copy address' }).click();
  await expect(dialog).toBeHidden();
  const target = 'http://example.invalid/apples?from=trees';
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toBe(target);
  await app.page.context().route('http://example.invalid/**', (route) => route.fulfill({ body: 'Apples.' }));
  await link.click();
  const opened = app.page.context().waitForEvent('page');
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(await opened).toHaveURL(target);
});

test('without the key the page shows its shell and says so; the API answers 401 or 403 (case 53)', async ({
  browser,
  core,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(core.origin);
  await expect(page.getByText('This page is not signed in.')).toBeVisible();
  await expect(page.getByText('orchard')).toHaveCount(0);
  const { request } = context;
  expect((await request.get(`${core.origin}/rpc`)).status()).toBe(401);
  const guess = { data: { token: 'a'.repeat(64) }, headers: { origin: core.origin } };
  expect((await request.post(`${core.origin}/session`, guess)).status()).toBe(401);
  const foreign = { data: { token: 'x' }, headers: { origin: 'http://evil.example' } };
  expect((await request.post(`${core.origin}/session`, foreign)).status()).toBe(403);
  await context.close();
});

test('the key is gone from the address once it was used, and a wrong one opens nothing (case 53)', async ({
  app,
  browser,
  core,
}) => {
  expect(new URL(app.page.url()).hash).toBe('');
  const [cookie] = await app.page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${core.origin}/#token=${'0'.repeat(64)}`);
  await expect(page.getByText('This page is not signed in.')).toBeVisible();
  await context.close();
});
