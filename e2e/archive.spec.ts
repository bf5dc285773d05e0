import { expect, test } from './fixtures/test.ts';

test('a conversation whose failure was seen is archived: it leaves the lists, is found under Archived, and comes back; it is renamed, and deleted', async ({
  app,
  core,
  start,
}) => {
  const tasks = ['echo done', 'exit 3'].map((goal) => ({ goal, agent: 'command' }));
  await start({ version: 1, title: 'Old harvest', tasks });
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
  const act = async (action: string, title = 'Old harvest'): Promise<void> => {
    await app.sidebar.root
      .getByRole('button', { name: `Actions for ${title}` })
      .first()
      .click();
    await app.page.getByRole('menuitem', { name: action }).click();
  };
  await expect(app.sidebar.entry('Needs you', 'exit 3')).toBeVisible();
  await act('Mark as seen');
  await expect(app.sidebar.section('Needs you')).toBeHidden();
  await act('Archive');
  await expect(app.toast('“Old harvest” was archived')).toBeVisible();
  // It lies over nothing that is used next.
  await app.composer.box.click();
  await app.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(app.sidebar.entry('Recent', 'Old harvest')).toBeVisible();
  await expect(app.toast('“Old harvest” was archived')).toBeHidden();
  await act('Archive');
  await expect(app.sidebar.section('Recent')).toBeHidden();
  await app.sidebar.root.getByRole('button', { name: 'Archived' }).click();
  // A right click anywhere on an entry opens the same menu.
  await app.sidebar.root.getByText('Old harvest', { exact: true }).click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Take out of the archive' }).click();
  await expect(app.sidebar.entry('Recent', 'Old harvest')).toBeVisible();
  await expect(app.sidebar.root.getByRole('button', { name: 'Archived' })).toBeHidden();

  await act('Rename');
  const name = app.sidebar.root.getByRole('textbox', { name: 'Rename' });
  await expect(name).toBeFocused();
  await name.fill('Late harvest');
  await name.press('Enter');
  await expect(app.sidebar.entry('Recent', 'Late harvest')).toBeVisible();
  await expect(app.heading).toContainText('Late harvest');
  await act('Delete…', 'Late harvest');
  const sure = app.page.getByRole('dialog');
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await expect(sure).toBeHidden();
  await act('Delete…', 'Late harvest');
  await sure.getByRole('button', { name: 'Delete' }).click();
  await expect(app.sidebar.root.getByText('Late harvest')).toHaveCount(0);
  expect(await core.client.conversations.list({ all: true })).toEqual([]);
});
