import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { McpServerSettings } from '../../protocol/settings.ts';

/** A tool as its server tells it. */
export const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type ListedTool = z.infer<typeof ListedTool>;

const KeptList = z.object({ v: z.literal(1), at: z.number(), tools: z.array(ListedTool) });

/** A list that is older is asked for anew: what a server offers changes with its program, of which the definition tells nothing. */
const MOST_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * What servers have listed, kept in a private folder by what defines them, so that a run can offer a server's tools before the server is started. The
 * definition itself, which may hold keys, is not written (K4).
 */
export class ToolLists {
  readonly #folder: string;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** The tools that this very definition listed last; null when that is unknown or too long ago. */
  async read(server: McpServerSettings, project: string): Promise<readonly ListedTool[] | null> {
    try {
      const kept = KeptList.safeParse(JSON.parse(await readFile(this.#file(server, project), 'utf8')));
      const isFresh = kept.success && Math.abs(this.#now() - kept.data.at) <= MOST_AGE_MS;
      return isFresh ? kept.data.tools : null;
    } catch {
      return null; // There is none yet, or it is damaged: then the server is asked.
    }
  }

  /** Keeps a list; one that cannot be written is asked for again. */
  async write(server: McpServerSettings, project: string, tools: readonly ListedTool[]): Promise<void> {
    const path = this.#file(server, project);
    const temporary = `${path}.${process.pid}.tmp`;
    const text = JSON.stringify({ v: 1, at: this.#now(), tools });
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await rm(temporary, { force: true });
      const file = await open(temporary, 'wx', 0o600);
      await file.writeFile(text).finally(() => file.close());
      await rename(temporary, path);
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  /** A program is another one in another project: its command may be found there, and its tools be about it. */
  #file(server: McpServerSettings, project: string): string {
    const { readOnlyTools: _, ...definition } = server;
    const place = 'url' in server ? null : project;
    const digest = createHash('sha256')
      .update(JSON.stringify([definition, place]))
      .digest('hex');
    return join(this.#folder, `${digest}.json`);
  }
}
