import { DELEGATE } from '../../protocol/delegate-tool.ts';
import { REPORT } from '../../protocol/report-tool.ts';
import type { Assignment } from '../../protocol/frames.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import type { AskRequest, RunnerPort } from '../contract.ts';
import { untilStopped } from '../until-stopped.ts';
import { commandOf, diffOf, pathsOf } from './call-content.ts';
import type { CallLog } from './call-log.ts';
import { fieldsOf, listOf, shown, textOf, type Fields } from './wire.ts';

/** What a use of a tool is to the permission modes (A1). */
type Need = 'read' | 'edit' | 'execute';

const KINDS: Readonly<Record<string, Need>> = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
};

const NAMES = `(?:${DELEGATE}|${REPORT}|ask_user)`;
/** A tool of our own server as agents name it: `mcp__espalier__delegate_task`, `espalier/ask_user`, `report_result (espalier MCP Server)`. */
const OURS = new RegExp(
  `^[a-z:_ ]{0,20}(?:espalier[^a-z{("]{1,4}${NAMES}|${NAMES}[^a-z{"]{1,4}espalier)(?![a-z])`,
  'i',
);
/** What none of our tools is, whatever it is called. */
const NEVER_OURS: readonly unknown[] = ['edit', 'delete', 'move', 'fetch'];

/** Answers what an agent asks to be allowed (A1, A2): by the permission mode, by what was allowed before, else by a person. */
export class Permissions {
  readonly #port: RunnerPort;
  readonly #mode: Assignment['permission'];
  readonly #workspace: string;
  readonly #calls: CallLog;
  /** Kinds that a person allowed for the rest of the run. */
  readonly #remembered = new Set<string>();
  /** Files that a call may change, and commands that it may run, which was allowed and is at work: by the call. What was allowed once is over with it. */
  readonly #allowedPaths = new Map<string, readonly string[]>();
  readonly #allowedCommands = new Map<string, string>();
  /** Why nothing is allowed any more; null while that is not so. */
  #closed: string | null = null;
  #open = 0;

  constructor(port: RunnerPort, assignment: Pick<Assignment, 'permission' | 'workspace'>, calls: CallLog) {
    this.#port = port;
    this.#mode = assignment.permission;
    this.#workspace = assignment.workspace;
    this.#calls = calls;
  }

  /** Somebody is asked at the moment. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** From now on nothing is allowed: the run comes to its end. */
  close(why: string): void {
    this.#closed = why;
  }

  /** Answers a request of the protocol, with one of the options that came with it. */
  async answer(params: Fields): Promise<unknown> {
    const update = fieldsOf(params['toolCall']);
    const id = textOf(update['toolCallId']) ?? '';
    // Some agents ask before they tell that the call begins.
    const call = this.#calls.known(id, update);
    const allowed = await this.#allows(call).catch(() => null);
    if (allowed === null) return { outcome: { outcome: 'cancelled' } };
    if (!allowed) this.#calls.refused(id);
    else this.#note(id, call);
    return { outcome: chosen(listOf(params['options']), allowed) };
  }

  /** Whether a file may be changed that the agent has us write. */
  async allowsWrite(path: string): Promise<boolean> {
    if (this.#closed !== null || this.#mode === 'plan') return false;
    if (this.#mode !== 'ask' || this.#isAllowed(path) || this.#remembered.has('edit')) return true;
    const request = { kind: 'permission', title: `Write ${path}`, tool: 'write', detail: path, diff: null } as const;
    return this.#ask('edit', request);
  }

  /** Whether a command may be run that the agent has us run. */
  async allowsCommand(command: string): Promise<boolean> {
    if (this.#closed !== null || this.#mode === 'plan') return false;
    const isAllowed = [...this.#allowedCommands].some(([id, one]) => one === command && !this.#calls.hasEnded(id));
    if (this.#mode === 'auto' || isAllowed || this.#remembered.has('execute')) return true;
    const title = 'Run a command';
    return this.#ask('execute', { kind: 'permission', title, tool: 'bash', detail: command, diff: null });
  }

  async #allows(call: Fields): Promise<boolean> {
    if (this.#port.stop.aborted) throw this.#port.stop.reason as Error;
    if (this.#closed !== null) return false;
    const need = this.#needOf(call);
    const given = isOurs(call) || need === 'read' ? true : await this.#byMode(call, need);
    if (given !== null) return given;
    const key = need === 'edit' ? 'edit' : (textOf(call['kind']) ?? 'other');
    return this.#remembered.has(key) || this.#ask(key, this.#request(call, need));
  }

  /** What the permission mode says by itself; null when a person is to decide (A1). */
  async #byMode(call: Fields, need: Need): Promise<boolean | null> {
    if (this.#mode === 'plan') return false;
    if (this.#mode === 'auto') return true;
    return this.#mode === 'edit' && need === 'edit' && (await this.#isInside(call)) ? true : null;
  }

  async #ask(key: string, request: AskRequest): Promise<boolean> {
    this.#open += 1;
    try {
      const answer = await untilStopped(this.#port.stop, this.#port.ask(request));
      const allowed = answer.choice === 'allow';
      if (allowed && answer.remember) this.#remembered.add(key);
      const note = answer.note?.trim() ?? '';
      if (!allowed && note !== '')
        this.#port.transcript.add({ type: 'notice', level: 'warning' }, `Not allowed: ${note}`);
      return allowed;
    } finally {
      this.#open -= 1;
    }
  }

  #needOf(call: Fields): Need {
    return KINDS[textOf(call['kind']) ?? ''] ?? 'execute';
  }

  /** After links are resolved (A3). */
  async #isInside(call: Fields): Promise<boolean> {
    const paths = pathsOf(call, this.#workspace);
    const found = await Promise.all(paths.map((path) => resolveInside(this.#workspace, path, { forWrite: true })));
    return found.length > 0 && found.every(({ ok }) => ok);
  }

  #request(call: Fields, need: Need): AskRequest {
    const paths = pathsOf(call, this.#workspace);
    const command = commandOf(call);
    const said = textOf(call['title']) ?? 'Use a tool';
    const title =
      need === 'edit' && paths.length > 0 ? `Edit ${paths.join(', ')}` : command === null ? said : 'Run a command';
    const tool = need === 'edit' ? 'edit' : command === null ? (textOf(call['kind']) ?? null) : 'bash';
    const detail = command ?? (need === 'edit' && paths.length > 0 ? paths.join('\n') : shown(call['rawInput']));
    return { kind: 'permission', title, tool, detail: detail === '' ? said : detail, diff: diffOf(call) };
  }

  /** A turn begins: of what was allowed for calls of the one before nothing is left. */
  beginTurn(): void {
    this.#allowedPaths.clear();
    this.#allowedCommands.clear();
  }

  #isAllowed(path: string): boolean {
    return [...this.#allowedPaths].some(([id, paths]) => paths.includes(path) && !this.#calls.hasEnded(id));
  }

  /** What was allowed may reach us a second time, as a request to write the file or to run the command. To look at a file is not to change it. */
  #note(id: string, call: Fields): void {
    const need = isOurs(call) ? 'read' : this.#needOf(call);
    const command = commandOf(call);
    if (need === 'edit') this.#allowedPaths.set(id, pathsOf(call, this.#workspace));
    if (need === 'execute' && command !== null) this.#allowedCommands.set(id, command);
  }
}

/**
 * Whether a call is one of our own server: what that does is decided where it leads to. Words of the model may be in its title and input, so a call that
 * runs a command, names a file or shows a change is none, however it is called.
 */
function isOurs(call: Fields): boolean {
  if (NEVER_OURS.includes(call['kind']) || commandOf(call) !== null || listOf(call['locations']).length > 0)
    return false;
  if (listOf(call['content']).some(({ type }) => type === 'diff' || type === 'terminal')) return false;
  const { server, tool } = fieldsOf(call['rawInput']);
  if (server === 'espalier' && new RegExp(`^${NAMES}$`).test(textOf(tool) ?? '')) return true;
  const names = [call['name'], call['title'], fieldsOf(fieldsOf(call['_meta'])['claudeCode'])['toolName']];
  return call['kind'] !== 'execute' && names.some((name) => typeof name === 'string' && OURS.test(name));
}

/** The option that says yes or no for this once: what an agent remembers by itself, nobody could take back here. */
function chosen(options: readonly Fields[], allowed: boolean): object {
  const kinds = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds.map((kind) => options.find((one) => one['kind'] === kind)).find((one) => one !== undefined);
  const optionId = textOf(option?.['optionId']);
  return optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
}
