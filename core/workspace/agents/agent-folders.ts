import { join } from 'node:path';
import { homeFolder } from '../../kit/home-folder.ts';

/** Where a project keeps agents, from its root; of two of one name the first counts. */
export const PROJECT_AGENT_FOLDERS = ['.espalier/agents', '.claude/agents', '.agents/agents', '.agents'] as const;

/** The user's own folders of agents, absolute; of two of one name the first counts. */
export function userAgentFolders(
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const home = homeFolder(environment);
  const folders = ['.espalier', '.claude', '.agents'].map((folder) => join(home, folder, 'agents'));
  // The data folder may be one of them: a definition does not stand over itself.
  return [...new Set([join(dataFolder, 'agents'), ...folders])];
}
