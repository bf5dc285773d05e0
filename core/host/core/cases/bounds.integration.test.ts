import { expect, test } from 'vitest';
import { silentLogger } from '../../../kit/logger.ts';
import { MAX_MESSAGE_CHARS } from '../../../protocol/api/base.ts';
import { MAX_FRAME_BYTES } from '../../../protocol/frame-limit.ts';
import { CoreLab } from '../../../testing/core-lab.ts';
import { encodeFrame } from '../../../workers/wire/frame-codec.ts';
import { createRouter, localClient } from '../../api/router.ts';

test('S5: what a person writes to a run is bounded, so that it fits into a frame however it is escaped', async () => {
  await using lab = await CoreLab.open();
  const client = localClient(createRouter(lab.service, lab.core.hub, silentLogger), 'test');
  const project_id = await lab.project();
  const text = 'x'.repeat(MAX_MESSAGE_CHARS + 1);
  const client_token = 'token';
  const run_id = 'run_0123456789ab';
  const refused = [
    () => client.runs.steer({ run_id, text, mode: 'steer', client_token }),
    () => client.runs.continue({ run_id, text, client_token }),
    () => client.runs.retry({ run_id, goal: text, client_token }),
    () => client.leads.send({ project_id, conversation_id: null, text, client_token }),
    () => client.asks.answer({ ask_id: 'ask_0123456789ab', choice: 'text', note: text, client: 'test' }),
  ];
  for (const send of refused) await expect(send()).rejects.toMatchObject({ data: { code: 'invalid_input' } });
  // One of the characters that JSON writes longest.
  const longest = encodeFrame({
    type: 'steer',
    steer_id: 'x',
    mode: 'steer',
    text: '\u0001'.repeat(MAX_MESSAGE_CHARS),
  });
  expect(longest.length).toBeLessThan(MAX_FRAME_BYTES);
});

test('R10: outputs of other tasks that are more than a worker can be told fail the task that wants them, at once and in words', async () => {
  await using lab = await CoreLab.open();
  const set = await lab.dispatch(
    [
      { id: 'a', goal: 'seq 1 5000' },
      { id: 'b', goal: 'echo begun', context: '{outputs.a} '.repeat(2000), depends_on: ['a'] },
    ],
    { defaults: { isolation: 'none' } },
  );
  const { results } = await lab.ended(set);
  expect(results).toMatchObject([
    { status: 'completed' },
    { status: 'failed', failure_reason: 'bad_request', error: expect.stringContaining('8 MiB') as string },
  ]);
  expect(await lab.run({ goal: 'echo after', isolation: 'none' })).toMatchObject({ status: 'completed' });
});
