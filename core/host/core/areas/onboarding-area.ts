import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../kit/result.ts';
import type { DispatchAnswer } from '../../../protocol/contract.ts';
import type { Finding } from '../../../protocol/health.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import { detectProviders, type DetectedProvider } from '../../../providers/detection/detect.ts';
import { MODEL_TABLE } from '../../../providers/models/table.ts';
import { loadDemo } from '../../../scripted-model/demo.ts';
import { startScriptedModel, type ScriptedModel } from '../../../scripted-model/scripted-model.ts';
import type { CoreService } from '../../service.ts';
import { dispatch } from '../commands.ts';
import type { Core } from '../core.ts';

/** Name of the demo's provider in the settings: its model is a script that ships with the app. */
const SCRIPTED_PROVIDER = 'scripted';
const SCRIPTED_MODEL = 'scripted-demo';

/** First start: what is there, and the demo. */
export class Onboarding {
  readonly #core: Core;
  #scripted: ScriptedModel | null = null;

  constructor(core: Core) {
    this.#core = core;
  }

  area(): Pick<CoreService, 'onboarding'> {
    return {
      onboarding: {
        detect: async () => ok(await this.detect()),
        use: ({ finding_id, model }) => this.#use(finding_id, model),
        demo: () => this.#demo(),
      },
    };
  }

  /** What is there, and what is missing. */
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
    const known = found.models[0] ?? firstModel(found.id);
    const name = model ?? known;
    if (name === undefined) return err({ code: 'invalid_input', message: `${found.label} lists no model. Name one.` });
    const set = this.#core.settings.set('defaultModel', `${found.id}/${name}`);
    if (!set.ok) return set;
    this.#core.publishApp();
    return ok({ done: true });
  }

  async #demo(): Promise<Result<DispatchAnswer & { project_id: string }, ApiError>> {
    const { home, packageRoot, clock, random } = this.#core.options;
    const demo = await loadDemo(join(packageRoot, 'assets', 'demo'));
    if (!demo.ok) return err({ code: 'internal', message: `The demo cannot be read: ${demo.error.message}` });
    this.#scripted ??= await startScriptedModel({ script: demo.value.script });
    const ready = this.#provide(this.#scripted.url);
    if (!ready.ok) return ready;
    const folder = join(home, 'demo', `bookshop-${random.hex(6)}`);
    await mkdir(join(home, 'demo'), { recursive: true, mode: 0o700 });
    await cp(demo.value.projectPath, folder, { recursive: true });
    const project = await this.#core.projects.add(folder, clock.now());
    if (!project.ok) return project;
    const row = { ...project.value, name: 'Demo bookshop' };
    const saved = await this.#core.projects.save(row);
    if (!saved.ok) return saved;
    this.#core.publish([{ conversation_id: '', run_id: null, change: { type: 'project', row } }]);
    const batch = await readFile(demo.value.batchPath, 'utf8');
    const dispatched = await dispatch(this.#core, {
      project_id: row.project_id,
      conversation_id: null,
      batch,
      options: { model: `${SCRIPTED_PROVIDER}/${SCRIPTED_MODEL}` },
      client_token: `demo-${random.hex(12)}`,
      scripted: true,
    });
    return dispatched.ok ? ok({ ...dispatched.value, project_id: row.project_id }) : dispatched;
  }

  /** Puts the address of the scripted server into the settings; it changes with every start. */
  #provide(url: string): Result<unknown, ApiError> {
    return this.#core.settings.set(`providers.${SCRIPTED_PROVIDER}`, {
      kind: 'anthropic',
      baseUrl: `${url}/v1`,
      // Shown costs are those that a real model of this price would have had.
      models: {
        [SCRIPTED_MODEL]: {
          contextWindow: 200_000,
          price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
        },
      },
    });
  }

  async close(): Promise<void> {
    await this.#scripted?.close();
  }
}

function firstModel(vendor: string): string | undefined {
  if (!(vendor in MODEL_TABLE)) return undefined;
  return Object.keys(MODEL_TABLE[vendor as keyof typeof MODEL_TABLE].models)[0];
}

function toFinding(provider: DetectedProvider): Finding {
  return {
    id: provider.id,
    kind: provider.kind === 'openai-compatible' ? 'local_server' : 'provider_key',
    name: provider.label,
    found: provider.available,
    detail: provider.note,
    models: [...provider.models],
  };
}
