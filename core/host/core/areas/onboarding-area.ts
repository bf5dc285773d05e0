import { readFile } from 'node:fs/promises';
import { slotRuns } from '../../../delegation/tree.ts';
import { err, ok, type Result } from '../../../kit/result.ts';
import type { DispatchAnswer } from '../../../protocol/api/dispatch.ts';
import { DEMO_MODEL } from '../../../protocol/demo.ts';
import type { Finding } from '../../../protocol/health.ts';
import type { AgentDefinition } from '../../../protocol/agents.ts';
import { profileOf } from '../../../protocol/profiles/agent-profiles.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import type { ProjectRow } from '../../../protocol/rows.ts';
import { detectProviders, type DetectedProvider } from '../../../providers/detection/detect.ts';
import { recommendedModel } from '../../../providers/models/proposed.ts';
import { MODEL_TABLE } from '../../../providers/models/table.ts';
import type { CoreService } from '../../service.ts';
import { isInstalled } from '../../health/is-installed.ts';
import { dispatch } from '../commands.ts';
import type { Core } from '../core.ts';
import { isDemo } from '../demo.ts';

type DemoAnswer = DispatchAnswer & { project_id: string };

/** First start: what is there, and the demo. */
export class Onboarding {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  area(): Pick<CoreService, 'onboarding'> {
    return {
      onboarding: {
        detect: async () => ok([...(await this.detect()), ...(await this.#agents())]),
        use: ({ finding_id, model }) => this.#use(finding_id, model),
        demo: () => this.#demo(),
      },
    };
  }

  /** The coding agents that are known or defined, and whether their programs are there. */
  async #agents(): Promise<Finding[]> {
    const { environment, path } = this.#core.options;
    await path?.lookAgain();
    await this.#core.agents.refresh(null);
    return [...this.#core.agents.of(null).values()].flatMap((agent) => agentFinding(agent, environment) ?? []);
  }

  /** Which models can be used, and what is missing. */
  async detect(): Promise<Finding[]> {
    return (await this.#detect()).map(toFinding);
  }

  #detect(): Promise<DetectedProvider[]> {
    const { environment, clock } = this.#core.options;
    return detectProviders({ env: environment, clock, fetch });
  }

  async #use(id: string, model: string | null): Promise<Result<{ done: true }, ApiError>> {
    const found = (await this.#detect()).find((provider) => provider.id === id);
    if (found === undefined || !found.available) {
      return err({ code: 'not_found', message: `${id} is not there any more. Look again.` });
    }
    const name = model ?? modelsOf(found)[0];
    if (name === undefined) return err({ code: 'invalid_input', message: `${found.label} lists no model. Name one.` });
    const set = this.#core.settings.set('defaultModel', `${found.id}/${name}`);
    if (!set.ok) return set;
    this.#core.publishApp();
    return ok({ done: true });
  }

  async #demo(): Promise<Result<DemoAnswer, ApiError>> {
    const { clock, random } = this.#core.options;
    const { demo, projects } = this.#core;
    const parts = await demo.parts();
    if (!parts.ok) return parts;
    const known = projects.list().find((row) => isDemo(row) && row.present);
    const atWork = known === undefined ? null : await this.#atWork(known);
    if (atWork !== null) return ok(atWork);
    const folder = await demo.lay(known?.path ?? null);
    if (!folder.ok) return folder;
    const row = await this.#attach(folder.value, clock.now(), known?.name ?? 'Demo bookshop');
    if (!row.ok) return row;
    const { project_id } = row.value;
    const batch = await readFile(parts.value.batchPath, 'utf8');
    const dispatched = await dispatch(this.#core, {
      project_id,
      conversation_id: null,
      batch,
      options: { model: DEMO_MODEL },
      client_token: `demo-${random.hex(12)}`,
    });
    return dispatched.ok ? ok({ ...dispatched.value, project_id }) : dispatched;
  }

  /** The set that is at work in the Demo: it is shown, and none is started beside it in the same files. */
  async #atWork({ project_id }: ProjectRow): Promise<DemoAnswer | null> {
    const engine = await this.#core.projects.engine(project_id);
    if (!engine.ok) return null;
    for (const conversationId of engine.value.liveConversations()) {
      const tree = engine.value.tree(conversationId);
      const set = [...(tree?.sets.values() ?? [])].find(({ parent_run_id, ended_at }) => parent_run_id === null && ended_at === null); // prettier-ignore
      if (tree === null || set === undefined) continue;
      const { delegation_id, conversation_id, count } = set;
      const run_ids = slotRuns(tree, delegation_id).map(({ run_id }) => run_id);
      const note = 'It is at work already.';
      return { project_id, delegation_id, conversation_id, set: set.set, count, run_ids, note };
    }
    return null;
  }

  async #attach(folder: string, now: number, name: string): Promise<Result<ProjectRow, ApiError>> {
    const { projects } = this.#core;
    const project = await projects.add(folder, now);
    if (!project.ok) return project;
    const saved = await projects.save({ ...project.value, name });
    if (saved.ok) {
      this.#core.publish([{ conversation_id: '', run_id: null, change: { type: 'project', row: saved.value } }]);
    }
    return saved;
  }
}

/** What can be chosen, the proposed one first: the models that a local server lists, or those that we know of a vendor. */
function modelsOf({ id, models }: DetectedProvider): string[] {
  const recommended = recommendedModel(id);
  if (recommended === null || models.length > 0) return [...models];
  const known = Object.keys(MODEL_TABLE[id as keyof typeof MODEL_TABLE].models);
  return [recommended, ...known.filter((model) => model !== recommended)];
}

/** Null for an agent that needs no program of its own, or of which nobody knows which. */
function agentFinding(agent: AgentDefinition, environment: Core['options']['environment']): Finding | null {
  const found = isInstalled(agent, environment);
  const profile = profileOf(agent);
  const command = agent.command ?? profile?.program.command ?? '';
  if (found === null || profile === null) return null;
  const detail = found
    ? `Its program ${command} is there.`
    : `No program ${command} was found. To install it: ${profile.install}.`;
  // An agent that nobody knows has no command to install it.
  const install = !found && profile.id !== '' ? { install: profile.install } : {};
  return { id: `agent:${agent.id}`, kind: 'agent', name: agent.id, found, detail, ...install, models: [] };
}

function toFinding(provider: DetectedProvider): Finding {
  return {
    id: provider.id,
    kind: provider.kind === 'openai-compatible' ? 'local_server' : 'provider_key',
    name: provider.label,
    found: provider.available,
    detail: provider.note,
    models: modelsOf(provider),
  };
}
