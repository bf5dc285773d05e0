import { join } from 'node:path';
import { parseBatch } from '../../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../../delegation/batch/validate-batch.ts';
import { err, ok } from '../../../kit/result.ts';
import { PROMPTS_FILE, SentPrompt } from '../../../protocol/sent-prompt.ts';
import { readAttemptIds } from '../../../registry/store/read-rows.ts';
import type { CoreService } from '../../service.ts';
import { readLines } from '../attempt-lines.ts';
import { promptProblemText } from '../calls.ts';
import { dispatch, sendToLead, steer, stop } from '../commands.ts';
import { continueRun, retry, setGate } from '../controls.ts';
import type { Core } from '../core.ts';
import { judgeWork, worldFor } from '../judge-work.ts';
import { allOpenAsks } from '../snapshots.ts';
import { processArea } from './process-area.ts';
import { locate } from '../locate.ts';

/** Starting work and acting on it. */
export function workArea(core: Core): Pick<CoreService, 'batches' | 'leads' | 'asks'> {
  return {
    batches: {
      parse: async ({ text, name, ...meant }) => {
        const parsed = parseBatch({ text, ...(name === null ? {} : { name }) });
        if (!parsed.ok) return err({ code: 'invalid_batch', message: 'This is not a batch.', problems: parsed.error });
        const { batch, form, skipped, title } = parsed.value;
        const valid = await validateBatch(batch, await worldFor(core, meant));
        return ok({ form, title, skipped, batch, problems: valid.ok ? [] : valid.error });
      },
      validate: async ({ batch, options, ...meant }) => ok(await judgeWork(core, meant, batch, options)),
      dispatch: (input) => dispatch(core, input),
    },
    leads: {
      validate: async ({ text, options, ...meant }) => {
        const { problems, ...more } = await judgeWork(core, meant, { goal: text }, options);
        return ok({ problem: problems.length === 0 ? null : promptProblemText(problems), ...more });
      },
      send: (input) => sendToLead(core, input),
    },
    asks: {
      list: async () => ok(await allOpenAsks(core.projects)),
      answer: async ({ ask_id, choice, note, client }) => {
        const place = await locate(core.projects, ask_id);
        if (!place.ok) return err({ code: 'not_found', message: `There is no question or permission ${ask_id}.` });
        const { engine, conversation_id } = place.value;
        return core.asks.answer(engine, conversation_id, ask_id, { choice, note, by: client });
      },
    },
  };
}

/** Control of runs, sets and conversations (C1). */
export function controlArea(core: Core): Pick<CoreService, 'runs'> {
  return {
    runs: {
      show: async ({ id }) => {
        const place = await locate(core.projects, id);
        if (!place.ok) return place;
        const tree = place.value.engine.tree(place.value.conversation_id);
        const run = tree?.runs.get(id);
        if (tree === null || run === undefined) return err({ code: 'not_found', message: `There is no run ${id}.` });
        const steers = [...tree.steers.values()].filter(({ run_id }) => run_id === id);
        return ok({ run, result: tree.facts.get(id)?.result ?? null, steers });
      },
      steer: (input) => steer(core, input),
      stop: ({ id, now }) => stop(core, id, now),
      pause: ({ id }) => setGate(core, id, true),
      resume: ({ id }) => setGate(core, id, false),
      prompt: async ({ run_id }) => {
        const place = await locate(core.projects, run_id);
        if (!place.ok) return place;
        const { engine } = place.value;
        const prompts = readAttemptIds(engine.db, run_id).map((attempt) => {
          const path = join(core.attempts.folder(engine.projectId, attempt), 'spill', PROMPTS_FILE);
          return readLines(path, SentPrompt);
        });
        return ok({ prompts: (await Promise.all(prompts)).flat() });
      },
      ...processArea(core),
      retry: (input) => retry(core, input),
      continue: (input) => continueRun(core, input),
    },
  };
}
