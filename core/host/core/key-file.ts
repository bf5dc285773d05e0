import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { KeyFile as Written, type BoundKeys, type KeyChange } from '../../protocol/preferences.ts';
import { writePrivateFile } from './private-file.ts';

/** `keys.json` of a data folder: the keys that the user bound. Read anew each time, so that what an editor wrote counts. */
export class KeyFile {
  readonly #path: string;

  constructor(home: string) {
    this.#path = join(home, 'keys.json');
  }

  /** What is bound. A file that cannot be used is said so, and is as if it were empty. */
  read(): BoundKeys {
    const found = this.#written();
    if (found.ok) return { path: this.#path, keys: found.value.keys, problem: null };
    return { path: this.#path, keys: {}, problem: found.error };
  }

  /** Binds one command. A file that cannot be used is not written over. */
  set({ command, chord }: KeyChange): Result<BoundKeys, ApiError> {
    const found = this.#written();
    if (!found.ok) return err({ code: 'invalid_input', message: found.error });
    const { [command]: _before, ...others } = found.value.keys;
    const next: Written = { ...found.value, keys: chord === undefined ? others : { ...others, [command]: chord } };
    try {
      writePrivateFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    } catch (error) {
      return err({ code: 'storage', message: `The keys could not be written to ${this.#path}: ${String(error)}` });
    }
    return ok({ path: this.#path, keys: next.keys, problem: null });
  }

  #written(): Result<Written, string> {
    const mend = 'Mend it, or move it away. Until then all keys have their defaults.';
    try {
      const parsed = Written.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
      if (parsed.success) return ok(parsed.data);
      return err(`${this.#path} cannot be used: ${z.prettifyError(parsed.error)}. ${mend}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok({ version: 1, keys: {} });
      return err(`${this.#path} cannot be read: ${error instanceof Error ? error.message : String(error)}. ${mend}`);
    }
  }
}
