import { err, ok } from '../../../kit/result.ts';
import type { AgentHealth } from '../../../protocol/agents.ts';
import { checkAgents } from '../../health/check-agents.ts';
import { isInstalled } from '../../health/is-installed.ts';
import { editAgentText } from '../../../workspace/agents/edit-text.ts';
import type { CoreService } from '../../service.ts';
import { readAgentFile, removeAgentFile, reviewAgentText, saveAgentFile } from '../agent-edits.ts';
import { keyVariables } from '../assignments.ts';
import type { Core } from '../core.ts';
import { unknownProject } from '../projects.ts';

/** Looks at outside agents: the known ones and those that are defined, or one by its name. */
export async function lookAtAgents(
  core: Core,
  only?: { readonly id: string; readonly project_id: string | null },
): Promise<AgentHealth[]> {
  const { environment, home, clock, path } = core.options;
  // What was installed meanwhile counts, and a shell that said nothing is asked again (B03).
  await path?.lookAgain();
  await core.agents.refresh(only?.project_id ?? null);
  const agents = [...core.agents.of(only?.project_id ?? null).values()];
  const wanted = only === undefined ? agents : agents.filter(({ id }) => id === only.id);
  const hidden = keyVariables(core.settings.value);
  const foundBy = path === undefined ? {} : { foundBy: (program: string) => path.foundBy(program) };
  return checkAgents(wanted, { environment, hidden, cwd: home, clock, ...foundBy });
}

/** Agents, and the files that define them. */
export function agentsArea(core: Core): Pick<CoreService, 'agents'> {
  const isUnknown = (projectId: string | null): projectId is string =>
    projectId !== null && core.projects.get(projectId) === undefined;
  return {
    agents: {
      list: async ({ project_id } = { project_id: null }) => {
        if (isUnknown(project_id)) return unknownProject(project_id);
        await core.agents.refresh(project_id);
        const { environment } = core.options;
        return ok(
          core.agents.entries(project_id).map(({ agent, warnings, conflicts }) => ({
            ...agent,
            warnings: [...warnings],
            conflicts: [...conflicts],
            installed: isInstalled(agent, environment),
          })),
        );
      },
      files: async ({ project_id }) => {
        if (isUnknown(project_id)) return unknownProject(project_id);
        await core.agents.refresh(project_id);
        return ok(core.agents.files(project_id));
      },
      read: (input) => readAgentFile(core, input),
      review: (input) => reviewAgentText(core, input),
      edit: async ({ text, ...changes }) => {
        const edited = await editAgentText(text, changes);
        return edited.ok ? ok({ text: edited.value }) : err({ code: 'invalid_input', message: edited.error });
      },
      save: (input) => saveAgentFile(core, input),
      check: async (input) => {
        if (isUnknown(input?.project_id ?? null)) return unknownProject(input?.project_id ?? '');
        return ok(await lookAtAgents(core, input));
      },
      remove: (input) => removeAgentFile(core, input),
    },
  };
}
