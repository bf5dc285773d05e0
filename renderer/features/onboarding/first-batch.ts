import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { startStrings } from '../../shared/start-strings.ts';

/** One small task of the first batch. */
export interface FirstTask {
  readonly goal: string;
  readonly label: string;
  readonly agent: string;
  readonly permission?: 'plan';
  readonly limits: { readonly timeout_seconds: number; readonly max_turns?: number };
  readonly best_effort?: true;
}

const TASKS = [
  {
    label: 'List the modules nobody imports',
    goal: 'List the modules of this project that no other file imports. Read only; quote their paths.',
  },
  {
    label: 'Find the slowest tests and say why',
    goal: 'Find the five tests of this project that look slowest, and say why each is. Read only; run nothing.',
  },
  {
    label: 'Draw the dependencies of the folders as text',
    goal: 'Draw how the top-level folders of this project depend on each other, as a small text diagram. Read only.',
  },
] as const;

const GIT_PROGRAMS = [
  { label: 'What has changed', goal: 'git status --short --branch' },
  { label: 'The last commits', goal: 'git log --oneline -n 10' },
  { label: 'How many files', goal: 'git ls-files' },
] as const;

const PROGRAMS = { posix: ['ls -la', 'pwd', 'du -sh .'], windows: ['dir', 'cd', 'tree /A'] } as const;

const MINUTE = 60;

/** An agent, and whether its program was found; not said of what needs none. */
type FoundAgent = AgentDefinition & { readonly installed?: boolean | null };

/** Agents that can answer: one with a model of its own or of the settings, or an installed program that brings its own. */
function answering(agents: readonly FoundAgent[], hasModel: boolean): readonly string[] {
  const external = agents
    .filter(({ runner, installed }) => (runner === 'acp' || runner === 'cli') && installed !== false)
    .map(({ id }) => id);
  const builtin = agents.filter(
    ({ id, runner, model }) => runner === 'builtin' && id === 'general' && (hasModel || model !== undefined),
  );
  return [...builtin.map(({ id }) => id), ...external];
}

/** The first batch: three questions to whoever can answer, else three programs. Nothing in it changes a file. */
export function firstTasks(
  agents: readonly FoundAgent[],
  hasModel: boolean,
  project: Pick<ProjectRow, 'git'>,
  windows: boolean,
): readonly FirstTask[] {
  const who = answering(agents, hasModel);
  const [first] = who;
  if (first !== undefined) {
    return TASKS.map(({ label, goal }, place) => ({
      label,
      goal,
      agent: who[place % who.length] ?? first,
      permission: 'plan',
      limits: { timeout_seconds: 10 * MINUTE, max_turns: 40 },
      best_effort: true,
    }));
  }
  const limits = { timeout_seconds: MINUTE };
  if (project.git) return GIT_PROGRAMS.map((task) => ({ ...task, agent: 'command', limits }));
  return PROGRAMS[windows ? 'windows' : 'posix'].map((goal) => ({ goal, label: goal, agent: 'command', limits }));
}

/** The tasks as a batch (S2). */
export function firstBatch(tasks: readonly FirstTask[]): Record<string, unknown> {
  return { version: 1, title: startStrings.first.batchTitle, tasks };
}
