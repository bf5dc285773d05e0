import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRow } from '../../core/protocol/rows.ts';
import type { Permission } from '../../core/protocol/settings.ts';
import type { ConversationInput } from '../../core/scripted-model/script-input.ts';
import { value, type CoreLab } from '../../core/testing/core-lab.ts';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { until } from '../../core/testing/process-trees.ts';
import { KNOWN_AGENTS, settingsOf, type KnownAgent } from './known.ts';

const CALLER = { client: 'test' };

/** Nothing that an agent does here takes as long, on a machine that does much besides. */
export const LIMIT_MS = 150_000;

/** Titles and the like are asked for beside the task. */
const ASIDE: ConversationInput = { by: 'requests', turns: ['A title'], repeat_last: true };

/** The way of each of the four agents that is the better one for a lead. */
export const LEADS = KNOWN_AGENTS.filter(({ name }) =>
  ['claude', 'codex over ACP', 'gemini over ACP', 'opencode over ACP'].includes(name),
);

/** The agent that a way is as a lead. */
const leadOf = ({ name }: KnownAgent): string => `${name.split(' ')[0]}-lead`;

/** A whole core whose agents, the lead and `worker` are one real program, `claude` and `codex` two more, beside the built-in ones; dispose it after the test. */
export class RealLab implements AsyncDisposable {
  readonly lab: ModelLab;
  readonly #homes: string;
  readonly #lead: string;

  private constructor(lab: ModelLab, homes: string, lead: string) {
    this.lab = lab;
    this.#homes = homes;
    this.#lead = lead;
  }

  /** @param folder where the programs are installed */
  static async open(known: KnownAgent, folder: string, conversations: ConversationInput[]): Promise<RealLab> {
    const homes = mkdtempSync(join(tmpdir(), 'espalier-homes-'));
    const lab = await ModelLab.open(
      [...conversations, ASIDE],
      (url) => {
        const child = (name: string): object => {
          const found = KNOWN_AGENTS.find((one) => one.name === name);
          return found === undefined ? {} : settingsOf(found, folder, join(homes, 'children'), url);
        };
        const own = settingsOf(known, folder, homes, url);
        const agents = { [leadOf(known)]: own, worker: own, claude: child('claude'), codex: child('codex') };
        return { agents, limits: { stopGraceSeconds: 5 } };
      },
      { unattendedMs: 600_000 },
    );
    return new RealLab(lab, homes, leadOf(known));
  }

  get core(): CoreLab {
    return this.lab.lab;
  }

  /** What the model answers from now on. */
  script(conversations: ConversationInput[]): void {
    this.lab.model.setScript({ conversations: [...conversations, ASIDE] });
  }

  /** Text of a file of the project; empty without one. */
  file(name: string): string {
    return this.core.read(join(this.core.git.project, name)) ?? '';
  }

  async say(text: string, permission: Permission, conversation_id: string | null = null) {
    const project_id = await this.core.project();
    const options = { agent: this.#lead, permission };
    const input = { project_id, conversation_id, text, options, client_token: this.lab.token() };
    return value(await this.lab.service.leads.send(input, CALLER));
  }

  /** Waits for a row; a run that ends before that says why. */
  async when(run_id: string, what: string, wanted: (row: RunRow) => boolean): Promise<RunRow> {
    await until(
      what,
      async () => {
        const row = await this.core.row(run_id);
        if (row.state === 'ended' && !wanted(row)) throw new Error(`ended before ${what}: ${row.words} ${row.error}`);
        return wanted(row);
      },
      LIMIT_MS,
    );
    return this.core.row(run_id);
  }

  /** Waits for something that a run does; one that ends before says why. */
  async meanwhile(run_id: string, what: string, wanted: () => boolean): Promise<void> {
    await this.when(run_id, what, ({ state }) => wanted() && state !== 'ended');
  }

  /** The texts that a run has said. */
  async said(run_id: string): Promise<string[]> {
    const { entries } = value(await this.lab.service.transcript.page({ run_id, from: 0, limit: 200 }, CALLER));
    return entries.flatMap(({ meta, text }) => (meta.type === 'text' ? [text] : []));
  }

  /** Waits until the lead has said this, and waits for its user. */
  async answered(run_id: string, words: string): Promise<void> {
    const isSaid = async (): Promise<boolean> => {
      const row = await this.core.row(run_id);
      if (row.state === 'ended') throw new Error(`ended before "${words}": ${row.words} ${row.error ?? ''}`);
      return (await this.said(run_id)).some((text) => text.includes(words));
    };
    await until(words, isSaid, LIMIT_MS);
    await this.when(run_id, 'the lead to wait', ({ reason }) => reason === 'user');
  }

  /** The open question of a run, once it is asked. */
  async asked(run_id: string): Promise<string> {
    await this.when(run_id, 'a question', ({ reason }) => reason === 'permission');
    const open = async (): Promise<string | undefined> => {
      const asks = value(await this.lab.service.asks.list(undefined, CALLER));
      return asks.find((ask) => ask.run_id === run_id && ask.state === 'open')?.ask_id;
    };
    await until('the question', async () => (await open()) !== undefined, LIMIT_MS);
    return (await open()) ?? '';
  }

  /** Files of the data folder that hold a text, beside the settings that do. */
  holding(text: string): string[] {
    return readdirSync(this.core.git.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'settings.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    rmSync(this.#homes, { recursive: true, force: true, maxRetries: 5 });
  }
}
