import type { BatchInput } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { SteerRow } from '../protocol/rows.ts';
import type { CoreOptions } from '../host/core/core-options.ts';
import type { CoreService } from '../host/service.ts';
import { startScriptedModel, type ScriptedModel } from '../scripted-model/scripted-model.ts';
import type { ConversationInput } from '../scripted-model/script-input.ts';
import { CoreLab, value, type LabTask } from './core-lab.ts';

const CALLER = { client: 'test' };
const DEFAULTS = { agent: 'general', isolation: 'none', permission: 'auto' } as const;

/** A whole core with real workers whose built-in runs talk to a scripted model; dispose it after the test. */
export class ModelLab implements AsyncDisposable {
  readonly lab: CoreLab;
  readonly model: ScriptedModel;
  #tokens = 0;

  private constructor(lab: CoreLab, model: ScriptedModel) {
    this.lab = lab;
    this.model = model;
  }

  /** A core whose model answers these conversations. `settings` is what else is to be in the settings file, perhaps by the model's address. */
  static async open(
    conversations: ConversationInput[],
    settings: object | ((url: string) => object) = {},
    options: Partial<CoreOptions> = {},
  ): Promise<ModelLab> {
    const model = await startScriptedModel({ script: { conversations } });
    const lab = new CoreLab();
    const more = typeof settings === 'function' ? (settings as (url: string) => object)(model.url) : settings;
    const price = { input: 1, output: 10 };
    const scripted = { contextWindow: 200_000, price };
    const provider = { kind: 'anthropic', baseUrl: `${model.url}/v1`, models: { 'scripted-model': scripted } };
    lab.settings({ defaultModel: 'scripted/scripted-model', providers: { scripted: provider }, ...more });
    await lab.host(options);
    return new ModelLab(lab, model);
  }

  get service(): CoreService {
    return this.lab.service;
  }

  get runs(): RunsOf {
    const { runs } = this.service;
    return {
      show: (input) => runs.show(input, CALLER),
      prompt: (input) => runs.prompt(input, CALLER),
      processes: (input) => runs.processes(input, CALLER),
      end_survivors: (input) => runs.end_survivors(input, CALLER),
      steer: (input) => runs.steer(input, CALLER),
      stop: (input) => runs.stop(input, CALLER),
      pause: (input) => runs.pause(input, CALLER),
      resume: (input) => runs.resume(input, CALLER),
      retry: (input) => runs.retry(input, CALLER),
      continue: (input) => runs.continue(input, CALLER),
    };
  }

  get sets(): SetsOf {
    const { sets } = this.service;
    return {
      show: (input) => sets.show(input, CALLER),
      add: (input) => sets.add(input, CALLER),
      retry: (input) => sets.retry(input, CALLER),
    };
  }

  token(): string {
    return `token-${(this.#tokens += 1)}`;
  }

  /** Dispatches tasks of the built-in agent in the project’s folder, unless they say otherwise. */
  dispatch(tasks: readonly LabTask[], more: Omit<Partial<BatchInput>, 'tasks'> = {}): Promise<DispatchAnswer> {
    return this.lab.dispatch(tasks, { ...more, defaults: { ...DEFAULTS, ...more.defaults } });
  }

  /** Sends a message to the lead of a conversation, or begins one. */
  async say(text: string, conversation_id: string | null = null): Promise<{ conversation_id: string; run_id: string }> {
    const project_id = await this.lab.project();
    const options = { permission: 'auto' as const };
    const input = { project_id, conversation_id, text, options, client_token: this.token() };
    return value(await this.service.leads.send(input, CALLER));
  }

  steer(run_id: string, text: string): Promise<SteerRow> {
    return this.runs.steer({ run_id, text, mode: 'steer', client_token: this.token() }).then(value);
  }

  /** State and reason of a run, as `queued: paused`. */
  async state(runId: string): Promise<string> {
    const { state, reason } = await this.lab.row(runId);
    return reason === null ? state : `${state}: ${reason}`;
  }

  /** Waits until the run is in the state, and answers its row. */
  until(runId: string, wanted: string) {
    return this.lab.rowWhen(runId, `${runId} to be ${wanted}`, ({ state, reason }) => {
      return wanted === (reason === null ? state : `${state}: ${reason}`);
    });
  }

  /** All texts of the last request, in order, as `role: text`. */
  lastTexts(): string[] {
    return (this.model.requests.at(-1)?.request.texts ?? []).map(({ role, text }) => `${role}: ${text}`);
  }

  /** The core goes and another comes; workers stay. */
  async restart(): Promise<void> {
    await this.lab.leave();
    await this.lab.host();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    await this.model.close();
  }
}

type Runs = CoreService['runs'];
type Sets = CoreService['sets'];
type RunsOf = { readonly [Name in keyof Runs]: (input: Parameters<Runs[Name]>[0]) => ReturnType<Runs[Name]> };
type SetsOf = { readonly [Name in keyof Sets]: (input: Parameters<Sets[Name]>[0]) => ReturnType<Sets[Name]> };
