import { join } from 'node:path';
import { delegateText } from '../../delegation/delegate-text.ts';
import { ownLimits } from '../../delegation/holds.ts';
import { canHoldTools, intersectLists } from '../../delegation/ceilings.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import { replaceOutputRefs } from '../../delegation/batch/output-refs.ts';
import { replaceInShell } from '../../delegation/batch/shell-refs.ts';
import { sessionBefore, slotRuns } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { Task } from '../../protocol/batch.ts';
import { MAX_FRAME_BYTES } from '../../protocol/frame-limit.ts';
import type { Assignment, KeyHold, ModelBundle } from '../../protocol/frames.ts';
import type { FailureReason } from '../../protocol/outcome.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { ProjectRow, RunRow } from '../../protocol/rows.ts';
import type { Settings } from '../../protocol/settings.ts';
import { withExtras } from '../../providers/models/bundle.ts';
import { VENDORS } from '../../providers/models/endpoint.ts';
import { resolveModel } from '../../providers/models/resolve.ts';
import { isInstalled } from '../health/is-installed.ts';
import { workspaceOf } from './workspaces.ts';
import { withVariables } from '../../mcp/client/variables.ts';

const NO_CEILING = { max_cost_usd: null, max_tokens: null };

// A limit that is used up is one that nothing fits under: the run comes to its end before its first request.
const LEAST_USD = 1e-6;
const LEAST_SECONDS = 0.001;

/** What an assignment is made from. */
export interface AssignmentParts {
  readonly tree: ConversationTree;
  readonly run: RunRow;
  readonly project: ProjectRow;
  readonly settings: Settings;
  /** Those that can be named in the project. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Private folder of the attempt. */
  readonly folder: string;
  /** The user's own folders of skills (K1). */
  readonly skill_folders: readonly string[];
  /** Where lists of tools of MCP servers are kept. */
  readonly tool_lists: string;
  /** Keys that are held now (R8). */
  readonly key_holds: readonly KeyHold[];
}

/** Why an attempt cannot start; becomes the run's failure. */
export interface AssignmentProblem {
  readonly failure_reason: FailureReason;
  readonly message: string;
}

function bundlesOf(
  task: Task,
  agent: AgentDefinition,
  parts: AssignmentParts,
): Result<ModelBundle[], AssignmentProblem> {
  if (agent.runner !== 'builtin') return ok([]);
  const names = [task.model, ...task.fallback_models].filter((name) => name !== null);
  if (names.length === 0) {
    const message = 'No model was chosen. Name one in the task, or set defaultModel.';
    return err({ failure_reason: 'model_not_found', message });
  }
  const bundles: ModelBundle[] = [];
  for (const name of names) {
    const resolved = resolveModel(parts.settings, name, parts.environment);
    if (!resolved.ok) {
      const failure_reason = resolved.error.code === 'no_key' ? 'auth' : 'model_not_found';
      return err({ failure_reason, message: resolved.error.message });
    }
    const { price = resolved.value.price } = { price: parts.run.prices?.[name] };
    bundles.push({ ...withExtras(resolved.value, { headers: agent.headers, extraBody: agent.extraBody }), price });
  }
  return ok(bundles);
}

/** Names of all variables that hold providers' keys: no tool ever sees them (K5). */
export function keyVariables(settings: Settings): string[] {
  const named = Object.values(settings.providers).flatMap((provider) => provider.apiKeyEnv ?? []);
  return [...new Set([...named, ...Object.values(VENDORS).flatMap((vendor) => vendor.keyNames)])];
}

function toolsOf(task: Task, agent: AgentDefinition): string[] | null {
  const allowed = intersectLists(task.tools, agent.tools ?? null);
  const denied = agent.disallowed_tools ?? [];
  return allowed === null ? null : allowed.filter((tool) => !denied.includes(tool));
}

/** A ceiling that its agent cannot be held to fails the start; only a person may take it for a best effort (K3). */
function ceilingProblem(run: RunRow, task: Task, agent: AgentDefinition): AssignmentProblem | null {
  const isLimited = toolsOf(task, agent) !== null || (agent.disallowed_tools ?? []).length > 0;
  if (!isLimited || canHoldTools(agent) || (task.best_effort && run.parent_run_id === null)) return null;
  const message = `The agent "${agent.id}" cannot be held to the tools that this run may use. Choose another agent, or lift that limit.`;
  return { failure_reason: 'permission', message };
}

/** What a task of the run's set gave, by its id; undefined where there is none. */
function outputsFor(tree: ConversationTree, run: RunRow): (id: string) => string | undefined {
  const runs = run.delegation_id === null ? [] : slotRuns(tree, run.delegation_id);
  return (id) => {
    const found = runs.find((other) => tree.facts.get(other.run_id)?.task.id === id);
    const result = found === undefined ? null : tree.facts.get(found.run_id)?.result;
    if (!result) return undefined;
    return result.output === undefined ? result.summary : JSON.stringify(result.output);
  };
}

/** The goal with the outputs of the tasks it depends on as data (R10): in a line for the shell each is one word. */
function goalOf(goal: string, agent: AgentDefinition, outputOf: (id: string) => string | undefined): string {
  const isShell = agent.runner === 'command' && agent.command === undefined;
  return isShell ? replaceInShell(goal, outputOf, process.platform) : replaceOutputRefs(goal, outputOf);
}

/** A worker counts for its own attempt only: what earlier ones have used is taken off. */
function limitsOf({ tree, run, settings }: AssignmentParts, task: Task): Assignment['limits'] {
  const { limits } = settings;
  const hold = tree.holds.get(run.run_id);
  const { max_cost_usd, max_tokens } = hold === undefined ? NO_CEILING : ownLimits(tree, hold);
  const timeout = run.deadline?.seconds ?? null;
  return {
    max_turns: task.limits.max_turns ?? limits.maxTurns,
    max_tool_calls: toolCallsLeft(task, run),
    max_cost_usd: max_cost_usd === 0 ? LEAST_USD : max_cost_usd,
    max_tokens: max_tokens === 0 ? 1 : max_tokens,
    timeout_seconds: timeout === null ? null : Math.max(LEAST_SECONDS, timeout - run.active_seconds),
    idle_seconds: task.limits.idle_timeout_seconds ?? limits.idleSeconds,
    tool_idle_seconds: limits.toolIdleSeconds,
    open_request_seconds: limits.openRequestSeconds,
    stop_grace_seconds: limits.stopGraceSeconds,
    retries: settings.retries,
  };
}

/** Of a run whose earlier attempts have used them up one is left: with that it comes to its end (R4). */
function toolCallsLeft({ limits: { max_tool_calls } }: Task, run: RunRow): number | null {
  return max_tool_calls === undefined ? null : Math.max(1, max_tool_calls - run.tool_calls);
}

/** Agents that run a program that the model chooses (A1); null among them when a task that names none gets one. */
export function commandAgents(
  agents: ReadonlyMap<string, AgentDefinition>,
  { defaultAgent }: Settings,
): (string | null)[] {
  const names = [...agents.values()].filter(({ runner }) => runner === 'command').map(({ id }) => id);
  return names.includes(defaultAgent) ? [null, ...names] : names;
}

/** Skills of a project hold only while what it defines is what was trusted (A4, K1). */
function skillsFor({ project, skill_folders }: AssignmentParts): Assignment['skills'] {
  return { project: project.trusted ? (project.definitions?.digest ?? null) : null, folders: [...skill_folders] };
}

/** The delegate tool of a run that may use it (R2, K6). */
function delegateFor(
  { run, settings, environment }: AssignmentParts,
  agent: AgentDefinition,
  agents: ReadonlyMap<string, AgentDefinition>,
): Assignment['delegate'] {
  if (!offersDelegation(agent) || run.depth >= settings.limits.maxDepth) return null;
  // One that is not on this machine is no use to a model.
  const there = [...agents.values()].filter((other) => isInstalled(other, environment) !== false);
  const visible = there.map(({ id, description, runner }) => ({ id, description, runner }));
  return {
    description: delegateText(settings.limits, visible, !run.lead),
    wait_default: !run.lead,
    command_agents: commandAgents(agents, settings),
  };
}

/** The MCP servers that the agent names, with their variables filled in; `*` is all of the settings. */
function serversOf(
  agent: AgentDefinition,
  settings: Settings,
  environment: AssignmentParts['environment'],
): Pick<Assignment, 'mcp_servers'> {
  const known = settings.mcpServers ?? {};
  const wanted = (agent.mcp_servers ?? []).flatMap((name) => (name === '*' ? Object.keys(known) : [name]));
  if (wanted.length === 0) return {};
  const servers = [...new Set(wanted)].flatMap((name) => {
    const server = known[name];
    return server === undefined ? [] : [[name, withVariables(server, environment)] as const];
  });
  return { mcp_servers: Object.fromEntries(servers) };
}

/** For what goes around the assignment in its frame. */
const FRAME_ROOM = 64 * 1024;

/** A frame that is too long would end the connection, again and again; so it is said before the start. */
function inOneFrame(assignment: Assignment): Result<Assignment, AssignmentProblem> {
  if (Buffer.byteLength(JSON.stringify(assignment)) <= MAX_FRAME_BYTES - FRAME_ROOM) return ok(assignment);
  const message =
    'What this run would be given is more than 8 MiB: its context, outputs of other tasks, an earlier session. Put the large part into a file and name that.';
  return err({ failure_reason: 'bad_request', message });
}

/** Outside agents have names of their own for models. */
function ownModelOf({ runner }: AgentDefinition, { model }: Task): { model?: string | null } {
  return runner === 'acp' || runner === 'cli' ? { model } : {};
}

/** Whether the delegate tool reaches the agent's model: our loop has it, outside agents get it over MCP where their profile says so. */
function offersDelegation(agent: AgentDefinition): boolean {
  if (agent.runner === 'builtin') return true;
  const profile = profileOf(agent);
  return profile !== null && profile.delegates.by !== 'unsupported';
}

/** Everything the worker of a run needs, or why it cannot be had. */
export function makeAssignment(parts: AssignmentParts): Result<Assignment, AssignmentProblem> {
  const { tree, run, project, settings, environment, folder } = parts;
  const facts = tree.facts.get(run.run_id);
  const { agents } = parts;
  const agent = agents.get(run.agent);
  if (facts === undefined || agent === undefined) {
    return err({ failure_reason: 'agent_not_found', message: `There is no agent "${run.agent}" any more.` });
  }
  const { task } = facts;
  const unheld = ceilingProblem(run, task, agent);
  const models = unheld === null ? bundlesOf(task, agent, parts) : err(unheld);
  if (!models.ok) return models;
  const workspace = workspaceOf(tree, run, project);
  const outputOf = outputsFor(tree, run);
  return inOneFrame({
    run_id: run.run_id,
    conversation_id: run.conversation_id,
    lead: run.lead,
    depth: run.depth,
    agent,
    goal: goalOf(task.goal, agent, outputOf),
    context: task.context === null ? null : replaceOutputRefs(task.context, outputOf),
    files: task.files,
    images: task.images,
    output_schema: task.output_schema,
    effort: task.effort,
    workspace: workspace.folder,
    project: project.path,
    isolated: workspace.isolated,
    permission: run.permission,
    tools: toolsOf(task, agent),
    skills: skillsFor(parts),
    ...serversOf(agent, settings, environment),
    tool_lists: parts.tool_lists,
    delegate: delegateFor(parts, agent, agents),
    models: models.value,
    ...ownModelOf(agent, task),
    ...(parts.key_holds.length === 0 ? {} : { key_holds: [...parts.key_holds] }),
    limits: limitsOf(parts, task),
    environment: Object.fromEntries(
      Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    hidden_variables: keyVariables(settings),
    spill_folder: join(folder, 'spill'),
    steers: [],
    session: facts.session ?? sessionBefore(tree, run),
  });
}
