import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { SettingsWritten } from '../../protocol/preferences.ts';
import { Settings } from '../../protocol/settings.ts';
import { proposedModel } from '../../providers/models/proposed.ts';
import type { Environment } from '../../providers/models/resolve.ts';
import { settingsProblems, unknownKey } from './settings-words.ts';
import { writePrivateFile } from './private-file.ts';
import { settingsPath } from './settings-path.ts';

/**
 * `settings.json` of a data folder. What it does not say has its default; keys that we do not know are kept. While it names no default model,
 * the one that holds is proposed by the providers that there are keys for; that is never written.
 */
export class SettingsFile {
  readonly path: string;
  #written: Record<string, unknown> = {};
  #settings: Settings = Settings.parse({});
  #environment: Environment = {};
  /** The settings with a proposed model: the same object while nothing has changed. */
  #proposed: { readonly of: Settings; readonly model: string | null; readonly settings: Settings } | null = null;

  constructor(home: string) {
    this.path = settingsPath(home);
  }

  /** From now on a model is proposed by the keys of this environment, as it is at the time. */
  know(environment: Environment): void {
    this.#environment = environment;
  }

  /** What holds now. */
  get value(): Settings {
    const of = this.#settings;
    if (of.defaultModel !== undefined) return of;
    // Keys come and go while the core runs.
    const model = proposedModel(of, this.#environment);
    if (this.#proposed?.of !== of || this.#proposed.model !== model) {
      this.#proposed = { of, model, settings: model === null ? of : { ...of, defaultModel: model } };
    }
    return this.#proposed.settings;
  }

  /** Reads the file; a file that is not there is an empty one. A faulty one is an error that names the place, and is not touched. */
  load(): Result<Settings, ApiError> {
    const text = readText(this.path);
    if (!text.ok) return text;
    let written: unknown = {};
    try {
      if (text.value !== null) written = JSON.parse(text.value);
    } catch (error) {
      return invalid(`${this.path} is not JSON: ${String((error as Error).message)}. Mend it, or move it away.`);
    }
    const taken = this.#take(written);
    return taken.ok ? ok(this.value) : taken;
  }

  /** What the file itself says, by name. */
  written(): SettingsWritten {
    const unknown = Object.keys(this.#written).filter((key) => !Object.hasOwn(Settings.shape, key));
    return { path: this.path, keys: leavesOf(this.#written), unknown };
  }

  /**
   * Sets one key (dotted path) and writes the file; `undefined` and null remove it. Nothing changes when the value does not fit, or there is no such key;
   * one that is in the file all the same, perhaps of a newer version, may be changed and removed.
   */
  set(key: string, value: unknown): Result<Settings, ApiError> {
    const next = structuredClone(this.#written);
    const steps = key.split('.');
    if (steps.some((step) => step === '' || step === '__proto__'))
      return invalid(`"${key}" is not the name of a setting.`);
    const [top = ''] = steps;
    if (!Object.hasOwn(Settings.shape, top) && !Object.hasOwn(next, top)) {
      return invalid(`${unknownKey(top)} \`espalier config --help\` lists all.`);
    }
    if (key === 'defaultModel' && typeof value === 'string' && !/^[^/\s]+\/\S+$/.test(value)) {
      return invalid(`defaultModel is written "<provider>/<model>", and "${value}" is not.`);
    }
    setPath(next, steps, value);
    const before = this.#written;
    const taken = this.#take(next);
    if (!taken.ok) return taken;
    const saved = this.#save(next);
    if (!saved.ok) this.#take(before);
    return saved;
  }

  #take(written: unknown): Result<Settings, ApiError> {
    if (isNewer(written)) {
      return invalid(
        `${this.path} was written by a newer Espalier. Nothing in it was changed; update Espalier, or use another data folder.`,
      );
    }
    const parsed = Settings.safeParse(written);
    if (!parsed.success) return invalid(`${this.path}: ${settingsProblems(parsed.error)}`);
    this.#written = written as Record<string, unknown>;
    this.#settings = parsed.data;
    return ok(parsed.data);
  }

  #save(written: Record<string, unknown>): Result<Settings, ApiError> {
    try {
      writePrivateFile(this.path, `${JSON.stringify({ version: VERSION, ...written }, null, 2)}\n`);
      return ok(this.value);
    } catch (error) {
      return err({ code: 'storage', message: `The settings could not be written to ${this.path}: ${String(error)}` });
    }
  }
}

const MAX_BYTES = 4 * 2 ** 20;

/** The version of the form of the file; what it does not say is the default of the build, whichever that is (D6). */
const VERSION = 1;

/** Dotted names of what is no object; an empty object says nothing. */
function leavesOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, at === '' ? key : `${at}.${key}`));
}

function isNewer(written: unknown): boolean {
  if (typeof written !== 'object' || written === null || !('version' in written)) return false;
  return typeof written.version === 'number' && written.version > VERSION;
}

function invalid(message: string): Result<never, ApiError> {
  return err({ code: 'invalid_input', message });
}

function readText(path: string): Result<string | null, ApiError> {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_BYTES) {
      return invalid(`${path} is no file of at most ${MAX_BYTES / 2 ** 20} MiB. Mend it, or move it away.`);
    }
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(null);
    return err({ code: 'storage', message: `The settings in ${path} cannot be read: ${String(error)}` });
  }
}

function setPath(target: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [first, ...rest] = steps;
  if (first === undefined) return;
  if (rest.length === 0) {
    if (value === null || value === undefined) delete target[first];
    else target[first] = value;
    return;
  }
  const inner = target[first];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[first] = next;
  setPath(next, rest, value);
}
