import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

const batch = (...tasks: object[]) => ({ version: 1, title: 'Harvest', defaults: { permission: 'auto' }, tasks });

test('a run that delegates gets set 2, joined to its row and counted with it (case 10)', async ({
  app,
  model,
  start,
}) => {
  const nested = ['Weigh the early apples', 'Weigh the late apples', 'Weigh the cooking apples'];
  const tasks = nested.map((goal) => ({ goal, label: goal }));
  model.setScript(
    script(
      talk(
        'Organise the harvest',
        [{ text: 'I give it away.' }, call('delegate_task', { title: 'Weighing', tasks })],
        [{ text: 'All three are weighed.' }],
      ),
      held('Weigh the early apples', 'early', 'Early: 40 kg.'),
      // The permission mode of the run above holds below it too (K3): nobody is asked.
      talk('Weigh the late apples', call('bash', { command: 'echo 60' }), 'Late: 60 kg.'),
      talk('Weigh the cooking apples', 'Cooking: 20 kg.'),
      held('Sweep the yard', 'sweep', 'Swept.'),
    ),
  );
  await start(batch({ goal: 'Organise the harvest of all apples' }, { goal: 'Sweep the yard after them' }));
  await expect(app.tree.set(2)).toContainText('2 of 3 ended');
  const parent = app.tree.row('Organise the harvest');
  await expect(parent).toContainText('Waiting: children');
  await expect(parent).toHaveAttribute('aria-level', '2');
  await expect(app.tree.set(2)).toHaveAttribute('aria-level', '3');
  await expect(app.tree.row('Weigh the late apples')).toHaveAttribute('aria-level', '4');

  // The card hangs to the right of the row that made it, and the edge begins where the row ends.
  const drawn = async (): Promise<object> => {
    const boxes = await Promise.all([parent, app.tree.set(2), app.tree.joint].map((one) => one.boundingBox()));
    const [row, card, dot] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
    if (row === undefined || card === undefined || dot === undefined) throw new Error('not looked for');
    return {
      right: card.x > row.x + row.width,
      inRow: dot.y > row.y && dot.y + dot.height < row.y + row.height,
    };
  };
  await expect.poll(drawn).toEqual({ right: true, inRow: true });

  model.release('early');
  await expect(app.tree.set(2)).toContainText('3 of 3 ended');
  await expect(app.tree.rowThat('Organise the harvest', 'Completed')).toContainText('All three are weighed.');
  expect(model.requests.some(({ body }) => JSON.stringify(body).includes('Early: 40 kg.'))).toBe(true);
  await expect(app.tree.set(1)).toContainText('1 of 2 ended');
});

test('a failed run says in its row what went wrong and what to do (case 14)', async ({ app, model, start }) => {
  model.setScript(
    script(
      talk('Call the cider press', { fault: { status: 401, message: 'invalid x-api-key' } }),
      talk('Ask for the weather', {
        fault: { status: 404, message: 'model: scripted-model', type: 'not_found_error' },
      }),
    ),
  );
  await start(batch({ goal: 'Call the cider press' }, { goal: 'Ask for the weather of tomorrow' }));
  await expect(app.tree.rowThat('Call the cider press', 'Failed')).toContainText(/key|sign in/i);
  await expect(app.tree.rowThat('Ask for the weather', 'Failed')).toContainText('scripted-model');
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
  await expect(app.sidebar.entry('Needs you', 'Call the cider press')).toContainText('Failed · set 1 · 1/2');
  expect(model.requests).toHaveLength(2);

  await app.tree.row('Call the cider press').getByRole('button', { name: 'Open transcript' }).click();
  await app.inspector.show('Result');
  await expect(app.inspector.panel).toContainText('What went wrong');
  await app.sidebar.root.getByRole('button', { name: 'Mark as seen' }).click();
  await expect(app.sidebar.section('Needs you')).toBeHidden();
});

test('a run cut by its turn limit has its answer and a caveat, its sibling has none (case 15)', async ({
  app,
  model,
  start,
}) => {
  const look = [{ text: 'Still looking.' }, call('ls', { path: '.' })];
  model.setScript(
    script(
      talk('Inspect every single tree', look, look, look, 'I saw two of three rows.'),
      talk('Inspect the gate', 'Fine.'),
    ),
  );
  await start(
    batch({ goal: 'Inspect every single tree', limits: { max_turns: 3 } }, { goal: 'Inspect the gate of the yard' }),
  );
  await expect(app.tree.rowThat('Inspect every single tree', 'Caveat')).toContainText('Completed: turn limit reached');
  await expect(app.tree.rowThat('Inspect the gate', 'Completed')).toContainText('Fine.');
  await expect(app.sidebar.entry('Recent', 'Harvest').getByRole('img', { name: 'Caveat' })).toBeVisible();
  await app.tree.open('Inspect every single tree');
  await app.inspector.show('Result');
  await expect(app.inspector.panel).toContainText('Cut by a limit: it may not be finished.');
  await expect(app.inspector.panel).toContainText('I saw two of three rows.');
  expect(model.requests.filter(({ conversation }) => conversation === 'Inspect every single tree')).toHaveLength(4);
});

test('a transcript is written as the model speaks: text, reasoning, tool calls with results, a diff', async ({
  app,
  model,
  place,
  start,
}) => {
  model.setScript(
    script(
      talk(
        'Paint the apple green',
        [
          { reasoning: 'Which file holds' },
          { wait_for: 'thought' },
          { reasoning: ' the colour?' },
          { text: 'I look at **the apple** first.' },
          call('read', { path: 'src/apple.js' }),
        ],
        [
          { text: 'Now the change.' },
          call('edit', { path: 'src/apple.js', old_string: "'red'", new_string: "'green'" }),
          call('bash', { command: 'node -p "6 * 7"' }),
        ],
        holdAt('painted', 'It is painted,'),
      ),
    ),
  );
  await start(batch({ goal: 'Paint the apple green' }));
  await app.tree.open('Paint the apple green');
  const { panel } = app.inspector;
  await panel.getByRole('button', { name: 'Reasoning…' }).click();
  await expect(panel.getByRole('button', { name: 'Reasoning…', expanded: true })).toBeVisible();
  model.release('thought');
  await expect(panel.getByRole('button', { name: 'Reasoned', expanded: true })).toBeVisible();
  await expect(panel).toContainText('Which file holds the colour?');
  await expect(panel.getByText('the apple', { exact: true })).toHaveCSS('font-weight', /^[67]/);
  await expect(panel).toContainText('src/apple.js');
  await expect(panel).toContainText("export const apple = 'green';");
  await expect(panel).toContainText('node -p "6 * 7"');
  await expect(panel).toContainText('It is painted,');
  expect(place.read('src/apple.js')).toBe("export const apple = 'green';\n");
  model.release('painted');
  await expect(app.tree.rowThat('Paint the apple green', 'Completed')).toBeVisible();
});

test('a task for the agent command is a real program, with its coloured output in the transcript (case 17)', async ({
  app,
  start,
}) => {
  await start(
    batch(
      { goal: "printf '\\033[32mseven trees\\033[0m\\n'; node -p '40 + 2'", agent: 'command', label: 'Count' },
      {
        goal: 'echo rung $((2 - 1)) of all; seq 100; echo the ladder broke >&2; exit 3',
        agent: 'command',
        label: 'Climb',
      },
    ),
  );
  await expect(app.tree.rowThat('Count', 'Completed')).toContainText('seven trees');
  await expect(app.tree.rowThat('Climb', 'Failed')).toContainText('exit 3: the ladder broke');
  await app.tree.open('Count');
  await expect(app.inspector.panel).toContainText('42');
  await expect(app.inspector.panel).not.toContainText(/\u001B|\[0m\s*42/);
  await app.inspector.button('Copy output').click();
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toBe('seven trees\n42\n');
  await expect(app.inspector.steerBox).toBeHidden();
  await app.tree.set(1).click();
  await app.inspector.root
    .getByRole('list', { name: 'Runs of this set' })
    .getByRole('button', { name: /Climb/ })
    .click();
  await expect(app.inspector.title).toHaveText('Climb');
  await expect(app.inspector.panel).toContainText('the ladder broke');
  await expect(app.inspector.panel).not.toContainText('rung 1 of all');
  await app.inspector.button(/^Show \d+ earlier lines$/).click();
  await expect(app.inspector.panel).toContainText('rung 1 of all');
});
