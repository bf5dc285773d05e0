import { err, ok, type Result } from '../../kit/result.ts';
import type { McpServerSettings } from '../../protocol/settings.ts';
import type { CallOptions, ConnectedServer, ServerAnswer, ServerPlace } from './connect-server.ts';
import type { ListedTool, ToolLists } from './tool-lists.ts';

/** What a lazy server is made of. */
export interface LazyServerParts {
  readonly name: string;
  readonly server: McpServerSettings;
  readonly place: Omit<ServerPlace, 'signal'>;
  /** Folder of the project: a list holds for all of its worktrees. */
  readonly project: string;
  /** Null: nothing is kept, and the server is started for its list. */
  readonly lists: ToolLists | null;
}

/** A server that is started, or connected to, at the first call of one of its tools; again after it has gone. */
export class LazyServer {
  readonly name: string;
  /** Fixed for the run, also when the server lists others once it is started (K1). */
  readonly tools: readonly ListedTool[];
  readonly #parts: LazyServerParts;
  readonly #over = new AbortController();
  #connecting: Promise<Result<ConnectedServer, string>> | null = null;

  private constructor(parts: LazyServerParts, tools: readonly ListedTool[]) {
    this.#parts = parts;
    this.name = parts.name;
    this.tools = tools;
  }

  /** By the list that was kept; a server whose tools nobody knows yet is started for them. The error says in words what is wrong with it. */
  static async open(parts: LazyServerParts): Promise<Result<LazyServer, string>> {
    const { lists, server, project } = parts;
    const kept = (await lists?.read(server, project)) ?? null;
    if (kept !== null) return ok(new LazyServer(parts, kept));
    const it = new LazyServer(parts, []);
    const found = await it.#connected();
    if (!found.ok) return found;
    const known = new LazyServer(parts, found.value.tools);
    known.#connecting = it.#connecting;
    return ok(known);
  }

  /** Never rejects: what goes wrong is an answer. */
  async call(tool: string, args: object, options: CallOptions): Promise<ServerAnswer> {
    const aborted = new Promise<null>((resolve) => {
      if (options.signal.aborted) resolve(null);
      else options.signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    const found = await Promise.race([this.#connected(), aborted]);
    if (found?.ok === true) return found.value.call(tool, args, options);
    const why = found === null ? 'the run was stopped.' : found.error;
    return { isError: true, text: `The MCP server "${this.name}" could not be started: ${why}`, images: [] };
  }

  /** Ends the server, if it was ever started. */
  async close(): Promise<void> {
    this.#over.abort();
    const found = await this.#connecting;
    if (found?.ok === true) await found.value.close();
  }

  /** One after the other, so that calls at once start it once. */
  #connected(): Promise<Result<ConnectedServer, string>> {
    this.#connecting = this.#connectedAfter(this.#connecting);
    return this.#connecting;
  }

  async #connectedAfter(before: Promise<Result<ConnectedServer, string>> | null) {
    const found = await before;
    if (found?.ok === true && found.value.isOpen) return found;
    if (found?.ok === true) await found.value.close();
    return this.#over.signal.aborted ? err('the run is over.') : this.#connect();
  }

  async #connect(): Promise<Result<ConnectedServer, string>> {
    const { name, server, place, project, lists } = this.#parts;
    const { connectServer } = await import('./connect-server.ts');
    const found = await connectServer(name, server, { ...place, signal: this.#over.signal });
    if (found.ok) await lists?.write(server, project, found.value.tools);
    return found;
  }
}
