import type { Assignment } from '../../protocol/frames.ts';
import type { RunReport } from '../../protocol/report.ts';
import type { RunnerPort } from '../contract.ts';
import { ClientFiles } from './client-files.ts';
import { ClientTerminals } from './client-terminals.ts';
import { RequestError, type ClientSide } from './connection.ts';
import { Permissions } from './permissions.ts';
import { SessionLog } from './session-log.ts';
import type { Fields } from './wire.ts';

type Limit = NonNullable<RunReport['limit']>;

/** What the run is told of its agent's stream. */
export interface ClientListener {
  usage(update: Fields): void;
  /** A limit is reached that we watch (R11). */
  overLimit(limit: Limit): void;
  /** Counters have changed. */
  told(): void;
}

/** Our side of the protocol for one run: its transcript, its permissions, its files and terminals, and the limits that we watch. */
export class Client implements ClientSide {
  readonly log: SessionLog;
  readonly permissions: Permissions;
  readonly terminals: ClientTerminals;
  /** Where the agent's model requests go; null when that is not known. */
  endpoint: URL | null = null;
  /** Told of every update. */
  onUpdate: () => void = () => undefined;
  readonly #files: ClientFiles;
  readonly #limits: Assignment['limits'];
  #maxCost: number | null;
  #sessionId: string | null = null;
  #turns = 0;
  #turnsOfMessage = 0;
  #limit: Limit | null = null;

  constructor(assignment: Assignment, port: RunnerPort, listener: ClientListener) {
    this.#limits = assignment.limits;
    this.#maxCost = assignment.limits.max_cost_usd;
    port.onLimits(({ max_cost_usd }) => (this.#maxCost = max_cost_usd));
    const over = (limit: Limit): void => {
      this.#limit ??= limit;
      listener.overLimit(limit);
    };
    this.log = new SessionLog(port, assignment.workspace, {
      message: () => {
        this.#turns += 1;
        this.#turnsOfMessage += 1;
        if (this.#turnsOfMessage > this.#limits.max_turns) over('max_turns');
        listener.told();
      },
      call: () => {
        const max = this.#limits.max_tool_calls;
        if (max !== null && this.log.calls.count > max) over('max_tool_calls');
        listener.told();
      },
      usage: (update) => listener.usage(update),
      mode: () => undefined,
    });
    this.permissions = new Permissions(port, assignment, this.log.calls);
    this.terminals = new ClientTerminals(assignment, port, this.permissions, this.log.calls);
    this.#files = new ClientFiles(assignment.workspace, this.permissions, this.log.calls);
  }

  /** Messages of the model. */
  get turns(): number {
    return this.#turns;
  }

  /** The limit that was reached; null while none was. */
  get limit(): Limit | null {
    return this.#limit;
  }

  /** USD that the attempt may cost in all. */
  get maxCost(): number | null {
    return this.#maxCost;
  }

  /** From now on updates of the session count; what an agent told before is the history of a session that it loaded. */
  open(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  /** A person's next message: a lead's turns count by message (T1). */
  beginMessage(): void {
    this.#turnsOfMessage = 0;
    this.#limit = null;
  }

  update(sessionId: string, update: Fields): void {
    if (this.#sessionId === null) return;
    this.onUpdate();
    if (sessionId === this.#sessionId) this.log.take(update);
    else this.log.takeOther(sessionId, update);
  }

  permission(params: Fields): Promise<unknown> {
    return this.permissions.answer(params);
  }

  async capability(method: string, params: Fields): Promise<unknown> {
    switch (method) {
      case 'fs/read_text_file':
        return this.#files.read(params);
      case 'fs/write_text_file':
        return this.#files.write(params);
      case 'terminal/create':
        return this.terminals.create(params);
      case 'terminal/output':
        return this.terminals.output(params);
      case 'terminal/wait_for_exit':
        return this.terminals.waitForExit(params);
      case 'terminal/kill':
        return this.terminals.kill(params);
      case 'terminal/release':
        return this.terminals.release(params);
      default:
        throw RequestError.methodNotFound(method);
    }
  }
}
