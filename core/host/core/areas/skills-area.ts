import { ok } from '../../../kit/result.ts';
import { loadSkills } from '../../../workspace/skills/load-skills.ts';
import { userSkillFolders } from '../../../workspace/skills/skill-folders.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { unknownProject } from '../projects.ts';

/** The skills that runs are offered (K1): the user's own, and those of a project while what it defines is trusted (A4). */
export function skillsArea(core: Core): Pick<CoreService, 'skills'> {
  return {
    skills: {
      list: async ({ project_id }) => {
        const row = project_id === null ? null : core.projects.get(project_id);
        if (row === undefined) return unknownProject(project_id ?? '');
        const project = row?.trusted === true ? row.path : null;
        const folders = userSkillFolders(core.options.home, core.options.environment);
        const { skills, warnings } = await loadSkills({ project, folders, only: null });
        return ok({
          skills: skills.map(({ name, description, place }) => ({ name, description, path: place })),
          warnings: [...warnings],
        });
      },
    },
  };
}
