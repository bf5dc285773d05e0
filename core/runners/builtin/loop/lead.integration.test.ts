import { expect, it } from 'vitest';
import type { Message } from '../../contract.ts';
import { LIMITS, RunLab } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { runBuiltin } from '../run.ts';

const said = (id: string, text: string): Message => ({ message_id: id, origin: 'message', text, delegation_id: null });
const LS = { tool_call: { name: 'ls', arguments: {} } };

it('T1: a lead answers, waits, goes on with the next message, and ends when it is told to finish', async () => {
  await using lab = await RunLab.open(['First answer.', 'Second answer.']);
  const port = new ScriptedPort();
  port.message(said('steer_1', 'And now the rest.'));
  port.message(null);
  const { report } = await lab.run(runBuiltin, port, { lead: true, depth: 0 });
  expect(port.answers.map(({ answer }) => answer)).toEqual(['First answer.', 'Second answer.']);
  expect(port.delivered).toEqual(['steer_1']);
  expect(report).toMatchObject({ answer: 'Second answer.', limit: null, error: null });
  const texts = lab.model.requests[1]?.request.texts.map(({ role, text }) => `${role}: ${text}`);
  expect(texts).toEqual(['user: Do what the script says.', 'assistant: First answer.', 'user: And now the rest.']);
});

it('a message that also came as a steer is heard once', async () => {
  await using lab = await RunLab.open(['First answer.', [LS], 'Second answer.']);
  const port: ScriptedPort = new ScriptedPort({
    onEntry: ({ meta }) => {
      if (meta.type === 'user' && meta.origin === 'message') port.steer('steer_1', 'And now the rest.');
    },
  });
  port.message(said('steer_1', 'And now the rest.'));
  port.message(null);
  const { report } = await lab.run(runBuiltin, port, { lead: true, depth: 0 });
  expect(lab.bodies.at(-1)?.match(/And now the rest/g)).toHaveLength(1);
  expect(port.delivered).toEqual(['steer_1']);
  expect(report.missed_steer).toEqual([]);
});

it('T1: the turn limit counts by message, and a lead goes on after it', async () => {
  await using lab = await RunLab.open([[LS], [{ text: 'Out of turns.' }], [LS], [{ text: 'Out again.' }]]);
  const port = new ScriptedPort();
  port.message(said('steer_1', 'Go on.'));
  port.message(null);
  const { report } = await lab.run(runBuiltin, port, { lead: true, depth: 0, limits: { ...LIMITS, max_turns: 1 } });
  expect(port.answers.map(({ answer }) => answer)).toEqual(['Out of turns.', 'Out again.']);
  expect(report).toMatchObject({ limit: 'max_turns', answer: 'Out again.' });
});

it('goes on in a later attempt with the stored session, without the goal again', async () => {
  await using lab = await RunLab.open(['First answer.', 'Second answer.']);
  const first = new ScriptedPort();
  first.message(null);
  const { session } = await lab.run(runBuiltin, first, { lead: true, depth: 0 });
  const stored: unknown = JSON.parse(JSON.stringify(session));

  const second = new ScriptedPort();
  second.message(said('steer_1', 'And now the rest.'));
  second.message(null);
  const { report } = await lab.run(runBuiltin, second, { lead: true, depth: 0, session: stored });
  expect(second.answers.map(({ answer }) => answer)).toEqual(['Second answer.']);
  expect(report.progress.turns).toBe(1);
  expect(lab.bodies[1]?.match(/Do what the script says/g)).toHaveLength(1);
  expect(second.entries[0]?.meta).toEqual({ type: 'user', origin: 'message', steer_id: 'steer_1' });
});

it('C5: another run that gets a session continues it with its goal as the next message', async () => {
  await using lab = await RunLab.open([[LS], 'First answer.', 'Continued.']);
  const { session } = await lab.run(runBuiltin);
  const port = new ScriptedPort();
  const { report } = await lab.run(runBuiltin, port, { run_id: 'run_ba9876543210', goal: 'One thing more.', session });
  expect(report.answer).toBe('Continued.');
  const texts = lab.model.requests[2]?.request.texts.map(({ text }) => text) ?? [];
  expect(texts.at(-1)).toBe('One thing more.');
  expect(texts[0]).toBe('Do what the script says.');
});

it('a stop while a lead waits for its user ends it', async () => {
  await using lab = await RunLab.open(['An answer.']);
  const port = new ScriptedPort();
  const running = lab.run(runBuiltin, port, { lead: true, depth: 0 });
  while (port.answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
  port.stopWith('stop');
  expect((await running).report).toMatchObject({ cut_by: 'stop', answer: 'An answer.' });
});
