import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CoreOptions } from '../host/core/core-options.ts';
import type { Permission } from '../protocol/settings.ts';
import type { AskRow, RunRow } from '../protocol/rows.ts';
import { CoreLab, value } from './core-lab.ts';
import { until } from './process-trees.ts';
import type { ScriptedAgent } from './scripted-agent.ts';

const PROGRAM = fileURLToPath(new URL('./scripted-agent.ts', import.meta.url));
const CALLER = { client: 'test' };

/** What an agent does; it sees nothing but its argument, as it travels as source text. */
export type AgentScript = (agent: ScriptedAgent) => unknown;

/** An outside agent over one of the two runners. */
export interface ScriptedAgentSettings {
  readonly runner: 'acp' | 'cli';
  readonly script: AgentScript;
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole core with real workers whose agents are scripted programs over the runners `acp` and `cli`; dispose it after the test. */
export class AgentsLab implements AsyncDisposable {
  readonly lab = new CoreLab();
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-agents-')));
  #tokens = 0;

  /** @param agents by their ids */
  static async open(
    agents: Readonly<Record<string, ScriptedAgentSettings>>,
    settings: object = {},
    options: Partial<CoreOptions> = {},
  ): Promise<AgentsLab> {
    const it = new AgentsLab();
    const entries = Object.entries(agents).map(([id, agent]) => [id, it.#settingsOf(id, agent)] as const);
    it.lab.settings({ ...settings, agents: Object.fromEntries(entries) });
    await it.lab.host({ unattendedMs: 60_000, ...options });
    return it;
  }

  #settingsOf(id: string, { runner, script, env = {} }: ScriptedAgentSettings): object {
    const file = join(this.#folder, `${id}.mjs`);
    writeFileSync(file, `export default ${script.toString()};\n`);
    const args = ['--no-warnings', PROGRAM, runner, file];
    const program = { runner, command: process.execPath, args };
    // No preflight: nobody listens.
    return runner === 'acp'
      ? { ...program, env }
      : { ...program, adapter: 'claude-cli', env: { ANTHROPIC_BASE_URL: 'none', ...env } };
  }

  /** Lines of a file in the project. */
  notes(name: string): string[] {
    return (this.lab.read(join(this.lab.git.project, name)) ?? '').split('\n').filter(Boolean);
  }

  /** Waits for so many lines in a file of the project. */
  async noted(name: string, lines = 1): Promise<string[]> {
    await until(`${lines} lines in ${name}`, () => this.notes(name).length >= lines, 40_000);
    return this.notes(name);
  }

  /** Sends a message to the lead of a conversation, or begins one with this agent. */
  async say(text: string, agent: string, conversation_id: string | null = null, permission: Permission = 'auto') {
    const project_id = await this.lab.project();
    const client_token = `say-${(this.#tokens += 1)}`;
    const options = { agent, permission };
    return value(
      await this.lab.service.leads.send({ project_id, conversation_id, text, options, client_token }, CALLER),
    );
  }

  async steer(run_id: string, text: string, mode: 'steer' | 'follow_up' = 'steer') {
    const client_token = `steer-${(this.#tokens += 1)}`;
    return value(await this.lab.service.runs.steer({ run_id, text, mode, client_token }, CALLER));
  }

  async continue(run_id: string, text: string) {
    const client_token = `continue-${(this.#tokens += 1)}`;
    return value(await this.lab.service.runs.continue({ run_id, text, client_token }, CALLER));
  }

  async runsOf(conversation_id: string): Promise<readonly RunRow[]> {
    return value(await this.lab.service.conversations.show({ id: conversation_id }, CALLER)).runs;
  }

  /** All texts that a run has said or was told, in order. */
  async transcript(run_id: string): Promise<string[]> {
    const { entries } = value(await this.lab.service.transcript.page({ run_id, from: 0, limit: 200 }, CALLER));
    return entries.map(({ text }) => text);
  }

  /** Waits until a lead has said this and waits for its user; answers its row. */
  async answered(run_id: string, words: string): Promise<RunRow> {
    const isSaid = async (): Promise<boolean> => (await this.transcript(run_id)).some((text) => text.includes(words));
    await until(`the answer "${words}"`, isSaid, 40_000);
    return this.lab.rowWhen(run_id, 'the lead to wait', ({ reason }) => reason === 'user');
  }

  /** The open question of a run, once it is asked. */
  async ask(run_id: string): Promise<AskRow> {
    const open = async (): Promise<AskRow | undefined> =>
      value(await this.lab.service.asks.list(undefined, CALLER)).find(
        (ask) => ask.run_id === run_id && ask.state === 'open',
      );
    await until('the question', async () => (await open()) !== undefined, 40_000);
    return (await open()) as AskRow;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
