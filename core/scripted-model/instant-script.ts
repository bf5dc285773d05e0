import type { Script } from './script-input.ts';

/** Answers every request at once with one short text; for measuring everything but the model. */
export const instantScript: Script = {
  models: ['instant'],
  conversations: [
    {
      name: 'instant',
      turns: [[{ text: 'Done.' }, { usage: { input: 100, output: 2 } }]],
      repeat_last: true,
    },
  ],
};
