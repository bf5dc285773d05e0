import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Assignment, ModelBundle } from '../protocol/frames.ts';
import type { Runner, RunnerEnd } from '../runners/contract.ts';
import { startScriptedModel, type ScriptedModel } from '../scripted-model/scripted-model.ts';
import type { ConversationInput, StepInput, TurnInput } from '../scripted-model/script-input.ts';
import { ScriptedPort } from './scripted-port.ts';
import { TEST_RUN_ID } from './test-run.ts';

/** One step of a turn of the scripted model. */
export type ModelStep = StepInput;

/** The dialects by the kind of provider that speaks them. */
export const MODEL_KINDS = ['anthropic', 'openai', 'openai-compatible', 'google'] as const;

/** One run against the scripted model server, with real tools in a workspace of its own; dispose it after the test. */
export class RunLab implements AsyncDisposable {
  readonly outer = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-run-')));
  readonly workspace = join(this.outer, 'workspace');
  readonly spillFolder = join(this.outer, 'spill');
  /** Null for runs without a model. */
  readonly server: ScriptedModel | null;

  private constructor(server: ScriptedModel | null) {
    this.server = server;
    mkdirSync(this.workspace);
  }

  /** A lab whose model answers one conversation with these turns. */
  static async open(turns: TurnInput[], more: Partial<ConversationInput> = {}): Promise<RunLab> {
    return new RunLab(await startScriptedModel({ script: { conversations: [{ turns, ...more }] } }));
  }

  static withoutModel(): RunLab {
    return new RunLab(null);
  }

  get model(): ScriptedModel {
    if (this.server === null) throw new Error('this lab has no model');
    return this.server;
  }

  /** Bodies of all requests so far, as text. */
  get bodies(): string[] {
    return this.model.requests.map(({ body }) => JSON.stringify(body));
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Text of a file of the workspace; null without one. */
  read(name: string): string | null {
    try {
      return readFileSync(this.path(name), 'utf8');
    } catch {
      return null;
    }
  }

  bundle(kind: ModelBundle['kind'] = 'anthropic', more: Partial<ModelBundle> = {}): ModelBundle {
    return {
      provider: 'scripted',
      kind,
      baseUrl: `${this.model.url}/${kind === 'google' ? 'v1beta' : 'v1'}`,
      key: 'lab-key-0123456789',
      headers: {},
      extraBody: {},
      model: 'scripted-model',
      contextWindow: 200_000,
      maxOutput: 4000,
      price: { input: 1, output: 10 },
      ...more,
    };
  }

  assignment(more: Partial<Assignment> = {}): Assignment {
    return {
      run_id: TEST_RUN_ID,
      conversation_id: 'conv_0123456789ab',
      lead: false,
      depth: 1,
      agent: { id: 'general', runner: 'builtin', description: 'Works on any task.', source: 'builtin' },
      goal: 'Do what the script says.',
      context: null,
      files: [],
      images: [],
      output_schema: null,
      effort: null,
      workspace: this.workspace,
      project: this.workspace,
      isolated: false,
      permission: 'auto',
      tools: null,
      delegate: null,
      models: this.server === null ? [] : [this.bundle()],
      environment: { PATH: process.env.PATH ?? '', HOME: this.outer },
      hidden_variables: [],
      spill_folder: this.spillFolder,
      steers: [],
      session: null,
      ...more,
      limits: { ...LIMITS, ...more.limits },
    };
  }

  /** Runs to the end. */
  run(runner: Runner, port: ScriptedPort = new ScriptedPort(), more: Partial<Assignment> = {}): Promise<RunnerEnd> {
    return runner(this.assignment(more), port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server?.close();
    rmSync(this.outer, { recursive: true, force: true });
  }
}

/** Limits that no test meets by chance. */
export const LIMITS: Assignment['limits'] = {
  max_turns: 50,
  max_tool_calls: null,
  max_cost_usd: null,
  max_tokens: null,
  timeout_seconds: null,
  idle_seconds: 450,
  tool_idle_seconds: 1200,
  open_request_seconds: 1800,
  stop_grace_seconds: 1,
  retries: 5,
};
