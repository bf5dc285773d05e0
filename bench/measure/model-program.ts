/** The program of `ModelServer`: an instant scripted model in a process of its own, so that its processor time is nobody else's. */
import { instantScript } from '../../core/scripted-model/instant-script.ts';
import type { StepInput } from '../../core/scripted-model/script-input.ts';
import { startScriptedModel } from '../../core/scripted-model/scripted-model.ts';
import { FAN_OUT, FAN_OUT_GOAL, GATE, HELD_GOAL, type ToModel, type ToParent } from './model-messages.ts';

const model = await startScriptedModel({
  script: {
    ...instantScript,
    conversations: [
      { name: 'held', match: { user: HELD_GOAL }, turns: [[{ wait_for: GATE }, { text: 'Done.' }]], repeat_last: true },
      { name: 'fan-out', match: { user: FAN_OUT_GOAL }, turns: [[fanOut()], 'All are done.'], repeat_last: true },
      ...instantScript.conversations,
    ],
  },
});

process.on('message', (message: ToModel) => {
  if (message.type === 'count') tell({ type: 'asked', count: model.requests.length });
  else if (message.type === 'release') model.release(GATE, message.count);
  else void model.waitForGate(GATE, message.count).then(() => tell({ type: 'waiting' }));
});
process.once('disconnect', () => void model.close());
tell({ type: 'ready', url: model.url });

function fanOut(): StepInput {
  const children = Array.from({ length: FAN_OUT }, (_, n) => ({
    key: `child-${n}`,
    agent: 'delegate',
    task: 'Say that it is done',
  }));
  const workflowScript = `return (await runs.all(${JSON.stringify(children)})).length;`;
  return { tool_call: { name: 'subagent', arguments: { workflowScript, async: false } } };
}

function tell(message: ToParent): void {
  process.send?.(message);
}
