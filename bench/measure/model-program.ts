/** The program of `ModelServer`: an instant scripted model in a process of its own, so that its processor time is nobody else's. */
import { instantScript } from '../../core/scripted-model/instant-script.ts';
import { startScriptedModel } from '../../core/scripted-model/scripted-model.ts';
import { GATE, HELD_GOAL, type ToModel, type ToParent } from './model-messages.ts';

const model = await startScriptedModel({
  script: {
    ...instantScript,
    conversations: [
      { name: 'held', match: { user: HELD_GOAL }, turns: [[{ wait_for: GATE }, { text: 'Done.' }]], repeat_last: true },
      ...instantScript.conversations,
    ],
  },
});

process.on('message', (message: ToModel) => {
  if (message.type === 'release') model.release(GATE, message.count);
  else void model.waitForGate(GATE, message.count).then(() => tell({ type: 'waiting' }));
});
process.once('disconnect', () => void model.close());
tell({ type: 'ready', url: model.url });

function tell(message: ToParent): void {
  process.send?.(message);
}
