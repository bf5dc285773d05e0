import { settingsStrings as words } from '../../shared/settings-strings.ts';

/** The sections, in order. */
export const SECTIONS = [
  'providers',
  'agents',
  'tools',
  'projects',
  'permissions',
  'limits',
  'notifications',
  'storage',
  'appearance',
  'shortcuts',
  'about',
] as const;
export type SectionId = (typeof SECTIONS)[number];

/** One setting that can be found and led to. */
export interface IndexEntry {
  /** `data-setting` of its row. */
  readonly id: string;
  readonly section: SectionId;
  readonly name: string;
  /** More words that find it. */
  readonly more: string;
}

const entry = (section: SectionId, id: string, name: string, ...more: readonly string[]): IndexEntry => ({
  id,
  section,
  name,
  more: more.join(' '),
});

const { providers, agents, tools, projects, permissions, limits, notifications, storage, appearance, about } = words;

/** Every setting by its words. */
export const INDEX: readonly IndexEntry[] = [
  entry('providers', 'defaultModel', providers.model, providers.modelHint, 'defaultModel'),
  entry('providers', 'providers', providers.list, providers.intro, 'api key base url endpoint test connection'),
  entry('providers', 'local', providers.local, 'ollama lm studio llama.cpp'),
  entry('providers', 'prices', providers.prices, providers.pricesHint, 'cost'),
  entry('agents', 'defaultAgent', agents.agent, agents.agentHint, 'defaultAgent'),
  entry('agents', 'agents', agents.list, agents.intro),
  entry('tools', 'skills', tools.skills, 'SKILL.md'),
  entry('tools', 'servers', tools.servers, tools.serverHint, 'mcp'),
  entry('projects', 'projects', words.sections.projects, projects.intro, 'espalier.json'),
  entry('permissions', 'permission', permissions.mode, permissions.intro, ...Object.values(permissions.modes)),
  entry('permissions', 'isolation', permissions.isolation, permissions.isolationHint, 'worktree'),
  entry('permissions', 'grants', permissions.grants, 'consent allowed revoke'),
  ...Object.entries(limits.names).map(([key, [name, hint, unit]]) => entry('limits', key, name, hint, unit, key)),
  entry('notifications', 'notifications.doNotDisturb', notifications.disturb, notifications.disturbHint),
  entry('notifications', 'notifications.hideContent', notifications.hide, notifications.hideHint),
  entry('notifications', 'notifications.projects', notifications.projects, 'mute'),
  entry('notifications', 'desktop.closeToTray', notifications.tray, notifications.trayHint),
  entry('notifications', 'desktop.keepAwake', notifications.awake, notifications.awakeHint, 'sleep power'),
  entry('notifications', 'desktop.checkForUpdates', notifications.updates, notifications.updatesHint),
  entry('storage', 'retention.fileDays', storage.files, storage.filesHint, 'retention'),
  entry('storage', 'retention.conversationDays', storage.conversations, storage.conversationsHint, 'retention'),
  entry('storage', 'gc', storage.clean, storage.cleanHint, 'gc disk space'),
  entry('appearance', 'theme', appearance.theme, 'dark light'),
  entry('appearance', 'contrast', appearance.contrast, appearance.contrastHint),
  entry('appearance', 'text', appearance.text, 'font size zoom'),
  entry('appearance', 'motion', appearance.motion, 'animation'),
  entry('shortcuts', 'keys', words.sections.shortcuts, words.shortcuts.intro, 'keyboard keys.json'),
  entry('about', 'doctor', about.doctor, about.copy, 'diagnostics'),
  entry('about', 'version', about.version, about.settingsFile, about.dataFolder),
];

/** What answers to a query: every word of it is in the name, the hint or the section; names that begin with it come first. */
export function findSettings(query: string): readonly IndexEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const found = INDEX.filter((one) => {
    const text = `${one.name} ${one.more} ${words.sections[one.section]}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const first = wanted[0] ?? '';
  const rank = ({ name }: IndexEntry): number => {
    const place = name.toLowerCase().indexOf(first);
    return place === -1 ? 2 : place === 0 ? 0 : 1;
  };
  return found.toSorted((a, b) => rank(a) - rank(b));
}

export function isSection(id: string | undefined): id is SectionId {
  return SECTIONS.some((section) => section === id);
}
