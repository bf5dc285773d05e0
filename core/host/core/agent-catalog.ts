import type { AgentConflict, AgentDefinition, AgentFile } from '../../protocol/agents.ts';
import type { ProjectRow } from '../../protocol/rows.ts';
import { Permission, type Settings } from '../../protocol/settings.ts';
import { projectAgents, userAgents, type LoadedAgent } from '../../workspace/agents/load-agents.ts';
import { userAgentFolders } from '../../workspace/agents/agent-folders.ts';
import { BUILTIN_AGENTS } from './builtin-agents.ts';
import type { Projects } from './projects.ts';
import { agentsOf, TOOL_NAMES } from './world.ts';

/** An agent that counts, with what is odd about it. */
interface CatalogEntry {
  readonly agent: AgentDefinition;
  readonly warnings: readonly string[];
  readonly conflicts: readonly AgentConflict[];
}

interface Catalog {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly entries: readonly CatalogEntry[];
  readonly settings: Settings;
  readonly user: readonly LoadedAgent[];
  readonly project: readonly LoadedAgent[];
}

export interface AgentCatalogDeps {
  /** The data folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  settings(): Settings;
  projects(): Projects;
  /** What a project defines, or its trust, is not what it was. */
  projectChanged(row: ProjectRow): void;
}

const NONE: readonly LoadedAgent[] = [];

/**
 * All agents that can be named, by project: those that a trusted project defines (A4) before the user's files, those before the settings, and these
 * before the built-in ones. What it answers is what was read last; {@link AgentCatalog.refresh} reads again.
 */
export class AgentCatalog {
  readonly #deps: AgentCatalogDeps;
  #user: readonly LoadedAgent[] = NONE;
  readonly #projects = new Map<string, { readonly digest: string; readonly loaded: readonly LoadedAgent[] }>();
  readonly #made = new Map<string | null, Catalog>();

  constructor(deps: AgentCatalogDeps) {
    this.#deps = deps;
  }

  /** Agents by name, for work in a project, or without one. */
  of(projectId: string | null): ReadonlyMap<string, AgentDefinition> {
    return this.#catalog(projectId).agents;
  }

  /** The same, with warnings and conflicts. */
  entries(projectId: string | null): readonly CatalogEntry[] {
    return this.#catalog(projectId).entries;
  }

  /** Every file that defines an agent, or is meant to, with what has become of it. */
  files(projectId: string | null): AgentFile[] {
    const { agents } = this.#catalog(projectId);
    const known = projectId === null ? undefined : this.#projects.get(projectId);
    const isTrusted = this.#trusted(projectId) !== NONE;
    return [...(known?.loaded ?? []), ...this.#user].map((file) => {
      const { path, source, digest, parsed } = file;
      if (!parsed.ok) return { path, source, digest, id: null, state: 'faulty', fault: parsed.error, warnings: [] };
      const { agent, warnings } = parsed.value;
      const isUsed = agents.get(agent.id)?.path === path;
      const state = source === 'project' && !isTrusted ? 'untrusted' : isUsed ? 'used' : 'hidden';
      return { path, source, digest, id: agent.id, state, fault: null, warnings: [...warnings] };
    });
  }

  /** Reads the user's folders, and with a project what that defines, again. */
  async refresh(projectId: string | null): Promise<void> {
    const { home, environment, projects } = this.#deps;
    const user = await userAgents(userAgentFolders(home, environment), TOOL_NAMES);
    if (!isSame(user, this.#user)) this.#user = user;
    if (projectId === null) return;
    const found = await projects().definitions(projectId);
    if (found?.row != null) this.#deps.projectChanged(found.row);
    if (found === null || this.#projects.get(projectId)?.digest === found.digest) return;
    const root = projects().get(projectId)?.path ?? '';
    const loaded = await projectAgents(root, found.files, TOOL_NAMES);
    this.#projects.set(projectId, { digest: found.digest, loaded });
  }

  /** The agents of a project as its files are now. */
  async freshIn(projectId: string): Promise<ReadonlyMap<string, AgentDefinition>> {
    await this.refresh(projectId);
    return this.of(projectId);
  }

  /** All projects anew. */
  async refreshAll(): Promise<void> {
    await this.refresh(null);
    for (const { project_id } of this.#deps.projects().list()) await this.refresh(project_id);
  }

  /** What the project defines, if exactly that is trusted. */
  #trusted(projectId: string | null): readonly LoadedAgent[] {
    if (projectId === null) return NONE;
    const row = this.#deps.projects().get(projectId);
    const known = this.#projects.get(projectId);
    return row?.trusted === true && known !== undefined && row.definitions?.digest === known.digest
      ? known.loaded
      : NONE;
  }

  #catalog(projectId: string | null): Catalog {
    const settings = this.#deps.settings();
    const project = this.#trusted(projectId);
    const known = this.#made.get(projectId);
    if (known?.settings === settings && known.user === this.#user && known.project === project) return known;
    const entries = ordered(settings, this.#user, project);
    const agents = new Map(entries.map(({ agent }) => [agent.id, agent]));
    const made = { entries, agents, settings, user: this.#user, project };
    this.#made.set(projectId, made);
    return made;
  }
}

function isSame(a: readonly LoadedAgent[], b: readonly LoadedAgent[]): boolean {
  return a.length === b.length && a.every(({ path, digest }, n) => b[n]?.path === path && b[n].digest === digest);
}

type Candidate = Omit<CatalogEntry, 'conflicts'>;

/** The first of a name counts; the order in which they are listed is that of the built-in ones, then as they come. */
function ordered(settings: Settings, user: readonly LoadedAgent[], project: readonly LoadedAgent[]): CatalogEntry[] {
  const own = [...agentsOf(settings).values()];
  const candidates: Candidate[] = [
    ...usable(project).map((candidate) => capped(candidate, settings.permission)),
    ...usable(user),
    ...own.filter(({ source }) => source === 'settings').map((agent) => ({ agent, warnings: [] })),
    ...BUILTIN_AGENTS.map((agent) => ({ agent, warnings: [] })),
  ];
  const byName = Map.groupBy(candidates, ({ agent }) => agent.id);
  const names = new Set([...own.map(({ id }) => id), ...byName.keys()]);
  return [...names].flatMap((name) => {
    const [first, ...others] = byName.get(name) ?? [];
    const conflicts = others.map(({ agent: { source, path = null } }) => ({ source, path }));
    return first === undefined ? [] : [{ ...first, conflicts }];
  });
}

function usable(files: readonly LoadedAgent[]): Candidate[] {
  return files.flatMap(({ parsed }) => (parsed.ok ? [parsed.value] : []));
}

/** What a repository says never gives more than the person's own settings do (A1). */
function capped({ agent, warnings }: Candidate, most: Permission): Candidate {
  const { permission } = agent;
  const order = Permission.options;
  if (permission === undefined || order.indexOf(permission) <= order.indexOf(most)) return { agent, warnings };
  const told = `It asks for the permission mode "${permission}"; a project's agent gets at most that of the settings, "${most}".`;
  return { agent: { ...agent, permission: most }, warnings: [...warnings, told] };
}
