import { ok } from '../../../kit/result.ts';
import { checkAgents } from '../../health/check-agents.ts';
import { isInstalled } from '../../health/find-program.ts';
import type { CoreService } from '../../service.ts';
import { readAgentFile, removeAgentFile, saveAgentFile } from '../agent-edits.ts';
import { keyVariables } from '../assignments.ts';
import type { Core } from '../core.ts';
import { unknownProject } from '../projects.ts';

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
      save: (input) => saveAgentFile(core, input),
      check: async () => {
        const { environment, home, clock } = core.options;
        const hidden = keyVariables(core.settings.value);
        return ok(await checkAgents({ environment, hidden, cwd: home, clock }));
      },
      remove: (input) => removeAgentFile(core, input),
    },
  };
}
