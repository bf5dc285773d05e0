import { delegateText } from '../../../delegation/delegate-text.ts';
import { ok } from '../../../kit/result.ts';
import type { CoreService } from '../../service.ts';
import { isInstalled } from '../../health/is-installed.ts';
import type { Core } from '../core.ts';

/** Leads at work outside. */
export function outsideArea(core: Core): Pick<CoreService, 'outside'> {
  const { outside } = core;
  return {
    outside: {
      describe: async () => {
        await core.agents.refresh(null);
        const { environment } = core.options;
        const agents = [...core.agents.of(null).values()].filter((agent) => isInstalled(agent, environment) !== false);
        return ok({ description: delegateText(core.settings.value.limits, agents, true, 'call') });
      },
      open: (input) => outside.open(input),
      attend: ({ run_id }, { signal }) => outside.attend(run_id, signal),
      call: ({ run_id, call_id, arguments: args }) => outside.call(run_id, call_id, args),
      ask: async ({ run_id, key, title, detail }) => {
        const answer = await outside.ask(run_id, key, title, detail);
        return answer.ok ? ok({ answer: answer.value }) : answer;
      },
      leave: ({ run_id }) => outside.leave(run_id),
    },
  };
}
