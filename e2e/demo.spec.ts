import { expect, test } from './fixtures/test.ts';

test.describe('the Demo', () => {
  test.use({ attached: false, withModel: false });
  // It plays at the pace of reading: what is looked at here is over after about forty seconds.

  test('nine tasks at once with a nested set; steered, stopped, answered; one fails, one is cut; a reload loses nothing', async ({
    app,
  }) => {
    const long = { timeout: 120_000 };
    await app.onboarding.startDemo();
    await expect(app.heading).toHaveText(/Demo bookshop.*Move prices to whole cents.*Scripted model/);
    await expect(app.tree.set(1)).toContainText(/0 of 9 ended/);
    await expect(app.tree.root.getByRole('img', { name: 'Running', exact: true })).toHaveCount(9);

    await expect(app.page.getByRole('combobox', { name: 'Model of the lead' })).toContainText('scripted-demo');
    await expect(app.page.getByText('$0.00 today').first()).toBeAttached();

    // Its money is nobody's: each cost says so.
    await expect(app.tree.root).toContainText('costs scripted, not spent');
    await expect(app.tree.set(1).getByTitle(/nothing is spent/)).toContainText(/\$0\.\d\d\s*scripted/);

    await app.tree.open('Migration guide');
    await app.inspector.steerBox.fill('Keep it to one page');
    await app.page.keyboard.press('Enter');
    await expect(app.inspector.steer('Keep it to one page')).toContainText(/queued|delivered/);
    await app.tree.stop('Design note: tax rounding');
    await expect(app.tree.rowThat('Design note: tax rounding', 'Stopped')).toBeVisible();

    await expect(app.tree.set(2)).toContainText('of 3 ended', long);
    await expect(app.inspector.steer('Keep it to one page')).toContainText(/delivered \d/, long);
    await expect(app.inspector.panel).toContainText('You asked: “Keep it to one page”', long);

    await expect(app.tree.rowThat('Remove the legacy currency code', 'Asks permission')).toBeVisible(long);
    await app.reload();
    await expect(app.tree.rowThat('Remove the legacy currency code', 'Asks permission')).toBeVisible();
    await expect(app.inspector.panel).toContainText('You asked: “Keep it to one page”');
    await app.inbox.open();
    await expect(app.inbox.current).toContainText('rm src/legacy/currency.js');
    await app.page.keyboard.press('a');
    await app.page.keyboard.press('Escape');
    await expect(app.tree.rowThat('Remove the legacy currency code', 'Completed')).toBeVisible(long);

    const failed = app.tree.rowThat('Supplier feed import', 'Failed');
    await expect(failed).toContainText('prompt is too long: 214310 tokens > 200000 maximum', long);
    await expect(app.tree.rowThat('Callers of formatPrice', 'Caveat')).toContainText('turn limit reached', long);
    await expect(app.tree.set(2)).toContainText('3 of 3 ended', long);
    await expect(app.tree.rowThat('Audit rounding in three modules', 'Completed')).toBeVisible(long);
  });
});
