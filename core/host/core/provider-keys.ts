import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { KeyVariable, type KeptKeys } from '../../protocol/providers.ts';
import { writePrivateFile } from './private-file.ts';

const Written = z.object({ version: z.literal(1).default(1), keys: z.record(KeyVariable, z.string().min(1)) });
type Written = z.infer<typeof Written>;

/** The environment of a core; what is kept or forgotten changes it at once. */
type Variables = Record<string, string | undefined>;

/**
 * Keys of providers that this core was given beside its environment: by the desktop from the system's keychain, or from `provider-keys.json` of the data
 * folder, which exists only if a person chose that (K4). A key that was given stands over one of the environment. No value ever leaves it.
 */
export class ProviderKeys {
  readonly #path: string;
  readonly #variables: Variables;
  /** Values that were there without us, to be put back. */
  readonly #before = new Map<string, string | undefined>();

  constructor(home: string, variables: Variables) {
    this.#path = join(home, 'provider-keys.json');
    this.#variables = variables;
  }

  /** Whether the value of a variable was given to us, and does not come from outside. */
  has(name: string): boolean {
    return this.#before.has(name);
  }

  /** Gives a key to this core, or with null takes it away again. `outside`: what the variable is without it. */
  give(name: string, value: string | null, outside: string | undefined = this.#variables[name]): void {
    if (value !== null) {
      if (!this.has(name)) this.#before.set(name, outside);
      this.#variables[name] = value;
    } else if (this.has(name)) {
      this.#variables[name] = this.#before.get(name);
      this.#before.delete(name);
    }
  }

  /** Takes what the file holds. */
  load(): void {
    const found = this.#read();
    if (found.ok) for (const [name, value] of Object.entries(found.value?.keys ?? {})) this.give(name, value);
  }

  /** What the file holds, by name. */
  kept(): KeptKeys {
    const found = this.#read();
    if (!found.ok) return { path: this.#path, names: [], problem: found.error };
    return { path: this.#path, names: Object.keys(found.value?.keys ?? {}).sort(), problem: null };
  }

  /** Keeps a key in the file, for the user alone (0600), and gives it to this core. A file that cannot be used is not written over. */
  keep(name: string, value: string): Result<KeptKeys, ApiError> {
    return this.#change(name, value);
  }

  /** Forgets a key of the file. */
  forget(name: string): Result<KeptKeys, ApiError> {
    return this.#change(name, null);
  }

  #change(name: string, value: string | null): Result<KeptKeys, ApiError> {
    const found = this.#read();
    if (!found.ok) return err({ code: 'invalid_input', message: found.error });
    const { [name]: before, ...others } = found.value?.keys ?? {};
    if (value === null && before === undefined) return ok(this.kept());
    const next: Written = { version: 1, keys: value === null ? others : { ...others, [name]: value } };
    try {
      writePrivateFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return err({ code: 'storage', message: `The key could not be written to ${this.#path} (${code ?? 'unknown'}).` });
    }
    this.give(name, value);
    return ok(this.kept());
  }

  /** Null without a file. What is wrong with one is said without a word of what it holds. */
  #read(): Result<Written | null, string> {
    const mend = 'Mend it, or move it away.';
    try {
      const file = lstatSync(this.#path);
      if (!file.isFile()) return err(`${this.#path} is no file. ${mend}`);
      if (process.platform !== 'win32' && (file.mode & 0o077) !== 0) {
        return err(`Others may read ${this.#path}, so its keys are not used. Give it to yourself alone: chmod 600.`);
      }
      const parsed = Written.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return parsed.success
        ? ok(parsed.data)
        : err(`${this.#path} does not hold keys as they are written there. ${mend}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return ok(null);
      return err(`${this.#path} cannot be read${code === undefined ? ': it is not JSON' : ` (${code})`}. ${mend}`);
    }
  }
}
