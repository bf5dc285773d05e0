import { readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Random } from '../../kit/random.ts';
import { DEMO_MODEL, DEMO_PROVIDER } from '../../protocol/demo.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ProjectRow } from '../../protocol/rows.ts';
import type { Limits, ProviderSettings, Settings } from '../../protocol/settings.ts';
import { loadDemo, type Demo as DemoParts } from '../../scripted-model/demo.ts';
import { startScriptedModel, type ScriptedModel } from '../../scripted-model/scripted-model.ts';
import { writePrivateFile } from './private-file.ts';

export interface DemoDeps {
  /** The data folder. */
  readonly home: string;
  readonly packageRoot: string;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * The Demo: scratch projects in the data folder in which a script answers. Its model server is started when a run of such a project first needs it,
 * at the port that it had before if that is free, so that also what an earlier core started goes on.
 */
export class Demo {
  readonly #deps: DemoDeps;
  readonly #portFile: string;
  #parts: Promise<Result<DemoParts, ApiError>> | null = null;
  #starting: Promise<Result<null, ApiError>> | null = null;
  #server: ScriptedModel | null = null;
  #seen: { readonly of: Settings; readonly port: number; readonly settings: Settings } | null = null;

  constructor(deps: DemoDeps) {
    this.#deps = deps;
    this.#portFile = join(deps.home, 'demo', 'port');
  }

  /** What holds in the Demo: its model, and no limit of money or tokens around it, as nothing is spent. The same object while nothing has changed. */
  settingsOf(of: Settings): Settings {
    const port = this.#server?.port ?? this.#lastPort();
    if (this.#seen?.of !== of || this.#seen.port !== port) {
      const providers = { ...of.providers, [DEMO_PROVIDER]: providerAt(port) };
      this.#seen = {
        of,
        port,
        settings: { ...of, providers, defaultModel: DEMO_MODEL, limits: withoutBudgets(of.limits) },
      };
    }
    return this.#seen.settings;
  }

  get isReady(): boolean {
    return this.#server !== null;
  }

  /** The model server is up when this answers. */
  ready(): Promise<Result<null, ApiError>> {
    this.#starting ??= this.#start().then((started) => {
      if (!started.ok) this.#starting = null;
      return started;
    });
    return this.#starting;
  }

  /** What the Demo is made of. */
  parts(): Promise<Result<DemoParts, ApiError>> {
    this.#parts ??= loadDemo(join(this.#deps.packageRoot, 'assets', 'demo')).then((demo) =>
      demo.ok ? demo : err({ code: 'internal', message: `The demo cannot be read: ${demo.error.message}` }),
    );
    return this.#parts;
  }

  /** Makes the scratch project, or puts the one that there is back to how it was at first: what is not the Demo's own stays. */
  async lay(known: string | null): Promise<Result<string, ApiError>> {
    const demo = await this.parts();
    if (!demo.ok) return demo;
    const { home, random } = this.#deps;
    const folder = known ?? join(home, 'demo', `bookshop-${random.hex(6)}`);
    await mkdir(join(home, 'demo'), { recursive: true, mode: 0o700 });
    for (const path of demo.value.written) await rm(join(folder, path), { force: true });
    await cp(demo.value.projectPath, folder, { recursive: true });
    return ok(folder);
  }

  async close(): Promise<void> {
    await this.#starting;
    await this.#server?.close();
  }

  async #start(): Promise<Result<null, ApiError>> {
    const demo = await this.parts();
    if (!demo.ok) return demo;
    const { script } = demo.value;
    const port = this.#lastPort();
    try {
      const server = await startScriptedModel({ script, port }).catch((error: unknown) => {
        // Another program may have it by now.
        this.#deps.logger.warn({ port, error: String(error) }, 'the Demo takes another port than before');
        return startScriptedModel({ script });
      });
      this.#server = server;
      if (server.port !== port) writePrivateFile(this.#portFile, `${server.port}\n`);
      return ok(null);
    } catch (error) {
      return err({ code: 'internal', message: `The Demo's model server could not be started: ${String(error)}` });
    }
  }

  /** 0 when there was none. */
  #lastPort(): number {
    try {
      const port = Number(readFileSync(this.#portFile, 'utf8'));
      return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
    } catch {
      return 0; // It was never started here.
    }
  }
}

/** Whether a folder is a scratch project of the Demo in this data folder. */
export function isDemoFolder(home: string, path: string): boolean {
  try {
    return dirname(path) === join(realpathSync(home), 'demo');
  } catch {
    return false; // There is no data folder, and so no Demo in it.
  }
}

/** Whether a script answers in the project. */
export const isDemo = (project: Pick<ProjectRow, 'scripted'> | undefined): boolean => project?.scripted === true;

function providerAt(port: number): ProviderSettings {
  const [, model = ''] = DEMO_MODEL.split('/');
  // Shown costs are those that a real model of this price would have had; they count nowhere.
  const price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 };
  return {
    kind: 'anthropic',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    models: { [model]: { contextWindow: 200_000, price } },
  };
}

function withoutBudgets({ treeCostUsd, treeTokens, dayCostUsd, dayTokens, ...limits }: Limits): Limits {
  return limits;
}
