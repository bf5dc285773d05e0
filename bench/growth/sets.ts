import { decideConnected, decideExited, decidePlace } from '../../core/delegation/decide-attempt.ts';
import { decideDispatch } from '../../core/delegation/decide-dispatch.ts';
import { ok } from '../../core/kit/result.ts';
import type { ConversationRow } from '../../core/protocol/rows.ts';
import { testBatch, testReport } from '../../core/testing/delegation.ts';
import type { LabCore } from '../../core/testing/engine-lab.ts';

/** The row of a conversation of the bench. */
export function conversationRow(core: LabCore, number: number): ConversationRow {
  return { ...core.firstRow, conversation_id: `conv_${number.toString(16).padStart(12, '0')}` };
}

let tokens = 0;

/** A set of `count` runs, from the dispatch to the end of the last: decided, stored and told as in a core, without processes. */
export async function wholeSet(core: LabCore, row: ConversationRow, count: number): Promise<void> {
  const { engine } = core;
  const { conversation_id } = row;
  const dispatched = await engine.command(
    conversation_id,
    (step) => ok(decideDispatch(step, row.project_id, testBatch(count), { type: 'user' })),
    { token: `bench-${(tokens += 1)}`, create: row },
  );
  if (!dispatched.ok) throw new Error(dispatched.error.message);
  await Promise.all(dispatched.value.run_ids.map((run) => wholeRun(core, conversation_id, run)));
  // What a core would have taken up by now.
  core.published.length = 0;
  core.acknowledged.length = 0;
  for (const { done } of core.effects.splice(0)) done();
}

async function wholeRun(core: LabCore, conversation_id: string, run_id: string): Promise<void> {
  const { engine } = core;
  await engine.fact(conversation_id, (step) => decidePlace(step, run_id));
  const attempt_id = engine.tree(conversation_id)?.facts.get(run_id)?.attempt_id ?? '';
  await engine.fact(conversation_id, (step) => decideConnected(step, run_id, attempt_id, 4711));
  const tell = (seq: number, event: Parameters<typeof engine.event>[0]['event']): void =>
    engine.event({ conversation_id, run_id, attempt_id, seq, event });
  tell(1, { type: 'entry', entry: 0, at: 1, meta: { type: 'text', partial: false }, text: 'Done.' });
  tell(2, { type: 'entry_end', entry: 0, meta: null, text: null });
  tell(3, { type: 'ended', last_seq: 3, report: testReport(), session: null });
  await engine.fact(conversation_id, (step) => {
    decideExited(step, run_id, {
      attempt_id,
      connected: true,
      active: true,
      exit: { code: 0, signal: null },
      proof: { method: 'observed', how: 'bench' },
      survivors: [],
      stderr_tail: '',
    });
  });
}
