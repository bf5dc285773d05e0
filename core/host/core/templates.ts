import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { TemplateName, type TemplateRow } from '../../protocol/history.ts';

const END = '.json';
const MAX_TEMPLATES = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Only what the list shows; the rest is read as a batch when it is used. */
const Head = z.looseObject({ title: z.string().optional(), tasks: z.array(z.unknown()) });

/** Batches kept under a name, one private file each in the data folder: they outlive their conversations. */
export class Templates {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'templates');
  }

  /** All templates by name. One that cannot be read is left out; using it says why. */
  async list(): Promise<TemplateRow[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const rows = await Promise.all(names.slice(0, MAX_TEMPLATES).map((name) => this.#row(name)));
    return rows.filter((row) => row !== null).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The batch of a template. */
  async load(name: string): Promise<Result<unknown, ApiError>> {
    const path = this.#path(name);
    if (!path.ok) return path;
    const text = await readFile(path.value, 'utf8').catch(() => null);
    if (text === null) return err({ code: 'not_found', message: `There is no template "${name}".` });
    try {
      return ok(JSON.parse(text));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return err({
        code: 'invalid_input',
        message: `${path.value} is not JSON: ${why}. Mend it, or remove the template.`,
      });
    }
  }

  /** Keeps a batch. An existing template is only replaced when asked to. */
  async save(name: string, batch: unknown, replace: boolean): Promise<Result<TemplateRow, ApiError>> {
    const path = this.#path(name);
    if (!path.ok) return path;
    const parsed = parseBatchValue(batch);
    if (!parsed.ok) {
      return err({ code: 'invalid_batch', message: 'This is not a batch. Nothing was saved.', problems: parsed.error });
    }
    const text = `${JSON.stringify(batch, null, 2)}\n`;
    if (Buffer.byteLength(text) > MAX_BYTES) {
      return err({ code: 'invalid_input', message: 'The batch is larger than 16 MiB. Nothing was saved.' });
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (!replace && (await stat(path.value).catch(() => null)) !== null) {
      return err({
        code: 'conflict',
        message: `There is a template "${name}" already. Take another name, or replace it.`,
      });
    }
    await writePrivate(path.value, text);
    const row = await this.#row(`${name.trim()}${END}`);
    return row === null ? err({ code: 'storage', message: `${path.value} could not be read again.` }) : ok(row);
  }

  async remove(name: string): Promise<Result<{ done: true }, ApiError>> {
    const path = this.#path(name);
    if (!path.ok) return path;
    const there = await stat(path.value).catch(() => null);
    if (there === null) return err({ code: 'not_found', message: `There is no template "${name}".` });
    await rm(path.value);
    return ok({ done: true });
  }

  #path(name: string): Result<string, ApiError> {
    const valid = TemplateName.safeParse(name);
    if (valid.success) return ok(join(this.#folder, `${valid.data}${END}`));
    const why = valid.error.issues[0]?.message ?? 'is not usable';
    return err({ code: 'invalid_input', message: `The name of a template ${why}.` });
  }

  async #row(file: string): Promise<TemplateRow | null> {
    if (!file.endsWith(END)) return null;
    const path = join(this.#folder, file);
    try {
      const head = Head.parse(JSON.parse(await readFile(path, 'utf8')));
      const { mtimeMs } = await stat(path);
      return {
        name: file.slice(0, -END.length),
        title: head.title ?? null,
        tasks: head.tasks.length,
        saved_at: Math.round(mtimeMs),
      };
    } catch {
      return null; // Somebody else's file, or half a one; `load` says what is wrong with it.
    }
  }
}

/** Whole or not at all, and never through a link that lies at its place (D7). */
async function writePrivate(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}
