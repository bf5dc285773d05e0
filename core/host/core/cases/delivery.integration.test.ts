import { expect, test } from 'vitest';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { until } from '../../../testing/process-trees.ts';
import { RunWatch } from '../../../testing/run-watch.ts';

const CALLER = { client: 'test' };

const delegate = (wait: boolean, ...goals: string[]) => ({
  tool_call: { name: 'delegate_task', arguments: { wait, tasks: goals.map((goal) => ({ goal })) } },
});

const sets = async (lab: ModelLab, id: string) =>
  value(await lab.service.conversations.show({ id }, CALLER)).sets.map(({ status }) => status);

/** Texts of the n-th request of a scripted conversation that it adds to the one before. */
function newTexts(lab: ModelLab, conversation: string, turn: number): string {
  const request = lab.model.requests.find((entry) => entry.conversation === conversation && entry.turn === turn);
  const texts = request?.request.texts ?? [];
  const last = texts.findLastIndex(({ role }) => role === 'assistant');
  return texts
    .slice(last + 1)
    .map(({ text }) => text)
    .join('\n');
}

test('case 34, L1: what a talking lead delegated comes back in turns of their own, never inside a running one, in the order of the ends', async () => {
  await using lab = await ModelLab.open([
    { match: { user: 'Child A of two' }, turns: [[{ wait_for: 'a' }, { text: 'Answer A.' }]] },
    { match: { user: 'Child B of two' }, turns: ['Answer B.'] },
    {
      name: 'lead',
      turns: [
        [delegate(false, 'Child A of two'), delegate(false, 'Child B of two')],
        [{ text: 'I go on ' }, { wait_for: 'talk' }, { text: 'talking.' }],
        'I heard of the one.',
        'I heard of the other.',
      ],
    },
  ]);
  const lead = await lab.say('Plan it with two children');
  await lab.model.waitForGate('talk');
  const ended = async (): Promise<number> =>
    (await sets(lab, lead.conversation_id)).filter((status) => status === 'completed').length;
  await until('the set of B to end', async () => (await ended()) === 1);
  lab.model.release('a');
  await until('the set of A to end', async () => (await ended()) === 2);
  const ofLead = (): number => lab.model.requests.filter(({ conversation }) => conversation === 'lead').length;
  expect(ofLead()).toBe(2);
  lab.model.release('talk');
  await lab.model.waitForEnd(({ conversation, turn }) => conversation === 'lead' && turn === 3);
  await lab.until(lead.run_id, 'waiting: user');
  expect(ofLead()).toBe(4);
  const [first, second] = [newTexts(lab, 'lead', 2), newTexts(lab, 'lead', 3)];
  expect(first).toMatch(/Result of set 2.*Answer B\./s);
  expect(first).not.toContain('Answer A.');
  expect(second).toMatch(/Result of set 1.*Answer A\./s);
  expect(second).not.toContain('Answer B.');
  await lab.restart();
  expect(await lab.state(lead.run_id)).toBe('waiting: user');
  expect(ofLead()).toBe(4);
});

test('case 35: the first failure of a running set is told at the next boundary, and the final result still comes', async () => {
  const fault = { status: 401, message: 'bad key' };
  await using lab = await ModelLab.open([
    { match: { user: 'Child A of two' }, turns: [{ fault }] },
    { match: { user: 'Child B of two' }, turns: [[{ wait_for: 'b' }, { text: 'Answer B.' }]] },
    {
      name: 'lead',
      turns: [
        delegate(false, 'Child A of two', 'Child B of two'),
        [{ wait_for: 'talk' }, { tool_call: { name: 'ls', arguments: {} } }],
        'I know of the failure.',
        'I know all.',
      ],
    },
  ]);
  const lead = await lab.say('Plan it with two children');
  await lab.model.waitForGate('talk');
  await until('the failure', async () => {
    const { runs } = value(await lab.service.conversations.show({ id: lead.conversation_id }, CALLER));
    return runs.some(({ outcome }) => outcome === 'failed');
  });
  lab.model.release('talk');
  await lab.model.waitForEnd(({ conversation, turn }) => conversation === 'lead' && turn === 2);
  const early = newTexts(lab, 'lead', 2);
  expect(early).toMatch(/\[set 1 · 1\/2\].*bad key.*result of the whole set follows/s);
  expect(early).not.toContain('Result of set 1');
  lab.model.release('b');
  await lab.model.waitForEnd(({ conversation, turn }) => conversation === 'lead' && turn === 3);
  expect(newTexts(lab, 'lead', 3)).toMatch(/Result of set 1.*: partial\..*failed.*bad key.*Answer B\./s);
});

test('case 36: a lead waits for 10 that each wait for 3: no deadlock at cap 10, never more than 10 at work', async () => {
  const three = ['Leaf one of three', 'Leaf two of three', 'Leaf three of three'];
  const ten = Array.from({ length: 10 }, (_, n) => `Branch number ${n} of ten`);
  await using lab = await ModelLab.open([
    { match: { user: 'Leaf' }, turns: ['Leaf done.'] },
    { match: { user: 'Branch' }, turns: [delegate(true, ...three), 'Branch done.'] },
    { name: 'lead', turns: [delegate(true, ...ten), 'All done.'] },
  ]);
  const lead = await lab.say('Plant the tree');
  await using watch = new RunWatch(lab.lab.core, lead.conversation_id);
  await watch.until((rows) => rows.some(({ lead: isLead, reason }) => isLead && reason === 'user'));
  const rows = [...watch.rows.values()];
  expect(rows).toHaveLength(41);
  expect(rows.filter(({ outcome }) => outcome === 'completed')).toHaveLength(40);
  expect(watch.mostAtWork).toBeLessThanOrEqual(10);
  expect(watch.mostAtWork).toBeGreaterThan(1);
  expect(newTexts(lab, 'lead', 1).match(/Branch done\./g)).toHaveLength(10);
}, 120_000);
