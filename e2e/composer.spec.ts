import { readFileSync } from 'node:fs';
import { axeFindings } from './fixtures/axe.ts';
import { script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('an @ completes files, agents and runs by the keyboard; odd names stay one reference and stay text (B31)', async ({
  app,
  place,
  model,
}) => {
  const odd = `<img src=x onerror="document.title='XSS'">.txt`.replace('/', '');
  place.write('my notes/pears and “plums”.md', 'x');
  place.write(odd, 'x');
  await app.composer.box.click();
  await app.page.keyboard.type('Look at @appl');
  await expect(app.composer.completion('src/apple.js')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  await app.page.keyboard.press('Enter');
  await expect(app.composer.box).toHaveValue('Look at @src/apple.js ');
  await app.page.keyboard.type('with @explo');
  await expect(app.composer.completion('explorer')).toBeVisible();
  // What is chosen stands there with the caret behind it before any other key can come.
  const caret = await app.composer.box.evaluate((box: HTMLTextAreaElement) => {
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));
    return [box.selectionStart, box.value.length];
  });
  expect(caret).toEqual([37, 37]);
  await expect(app.composer.box).toHaveValue('Look at @src/apple.js with @explorer ');
  await app.page.keyboard.type('and @plums');
  await app.composer.completion('pears and').click();
  await expect(app.composer.box).toHaveValue(/@"my notes\/pears and “plums”\.md" $/);
  await app.page.keyboard.type('@onerror');
  await expect(app.composer.completion('<img src=x')).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(app.composer.completions).toBeHidden();
  await expect(app.page).toHaveTitle(/Espalier/);

  // Enter sends once nothing is to be completed; then the runs of the conversation can be named too.
  model.setScript(script(talk('Count the trees', 'Twelve.')));
  await app.composer.box.fill('Count the trees');
  await app.page.keyboard.press('Enter');
  await expect(app.tree.lead).toContainText('waiting: for your message');
  await expect(app.composer.box).toHaveValue('');
});

test('images that are pasted or dropped go along with the message, and survive a reload; what is none is refused; the agent changes between messages', async ({
  app,
  model,
}) => {
  model.setScript(script(talk('What is in the picture', 'One pixel.', 'Still one.')));
  await app.composer.box.fill('What is in the picture?');
  await app.composer.pasteImage('shot “1”.png', PNG);
  await expect(app.composer.images.getByRole('listitem')).toHaveCount(1);
  await expect(app.composer.images).toContainText('shot “1”.png');
  await app.composer.dropImage('fake.png', Buffer.from('<svg onload="alert(1)">').toString('base64'));
  await expect(app.toast('fake.png was not attached')).toBeVisible();
  await app.composer.dropImage('second.png', PNG);
  await expect(app.composer.images.getByRole('listitem')).toHaveCount(2);
  await app.composer.images.getByRole('button', { name: 'Leave out second.png' }).click();
  await app.reload();
  await expect(app.composer.box).toHaveValue('What is in the picture?');
  await expect(app.composer.images.getByRole('listitem')).toHaveCount(1);

  await app.composer.box.press('Enter');
  await expect(app.tree.lead).toContainText('waiting: for your message');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(PNG);
  await expect(app.composer.images).toBeHidden();

  await app.composer.pasteImage('again.png', PNG);
  await expect(app.composer.images.getByRole('listitem')).toHaveCount(1);
  const agent = app.composer.root.getByRole('combobox', { name: 'Agent of the lead' });
  await agent.selectOption('explorer');
  await expect(app.composer.root.getByRole('status')).toHaveText('From this message on:');
  await app.composer.send('And now?');
  await expect(agent.locator('option:checked')).toHaveText('explorer');
  await expect(app.composer.root.getByRole('status')).toHaveCount(0);
  await expect.poll(() => JSON.stringify(model.requests.at(-1)?.body)).toContain('Attached images:');
  const [, path = ''] = /Attached images:\\n- ([^"\\]+)/.exec(JSON.stringify(model.requests.at(-1)?.body)) ?? [];
  expect(readFileSync(path).toString('base64')).toBe(PNG);
});
