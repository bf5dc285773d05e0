import { join } from 'node:path';
import { homeFolder } from '../../kit/home-folder.ts';

/** Where a project keeps skills, from its root; of two of one name the first counts. */
export const PROJECT_SKILL_FOLDERS = ['.espalier/skills', '.claude/skills', '.agents/skills'] as const;

/** The user's own folders of skills, absolute; of two of one name the first counts. */
export function userSkillFolders(
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const home = homeFolder(environment);
  return [join(dataFolder, 'skills'), join(home, '.claude', 'skills'), join(home, '.agents', 'skills')];
}
