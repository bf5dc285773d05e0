import { DELEGATE } from '../../../protocol/delegate-tool.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { Permission } from '../../../protocol/settings.ts';
import type { AskAnswer, AskRequest, RunnerPort } from '../../contract.ts';
import { permissionFor } from '../tools/permission.ts';
import type { PreparedCall } from '../tools/prepare-call.ts';
import { untilStopped } from '../../until-stopped.ts';
import { startsCommand } from '../../../mcp/delegate-call.ts';
import { editPreview } from './edit-preview.ts';

/** Asks for what the permission mode does not give (A1), and remembers what a person allowed for the rest of the run. */
export class Permissions {
  readonly #port: RunnerPort;
  readonly #mode: Permission;
  readonly #workspace: string;
  readonly #commandAgents: readonly (string | null)[];
  readonly #remembered = new Set<string>();

  constructor(port: RunnerPort, assignment: Pick<Assignment, 'permission' | 'workspace' | 'delegate'>) {
    this.#port = port;
    this.#mode = assignment.permission;
    this.#workspace = assignment.workspace;
    this.#commandAgents = assignment.delegate?.command_agents ?? ['command'];
  }

  /** Null when the call may run, else why not, for the model. Rejects when the run is stopped meanwhile. */
  async refusal(call: PreparedCall): Promise<string | null> {
    const { tool, args } = call;
    const isDelegation = tool.name === DELEGATE;
    const permission = isDelegation ? (startsCommand(args, this.#commandAgents) ? 'execute' : 'free') : tool.permission;
    const need = permissionFor({ permission }, this.#mode);
    if (need === 'free') return null;
    if (need === 'deny') return `Not run: in the permission mode "${this.#mode}" nothing is changed or executed.`;
    const kind = isDelegation ? `${DELEGATE} command` : tool.name;
    if (this.#remembered.has(kind)) return null;
    const answer = await untilStopped(this.#port.stop, this.#port.ask(await this.#request(call)));
    if (answer.choice !== 'allow') return denied(answer);
    if (answer.remember) this.#remembered.add(kind);
    return null;
  }

  async #request({ tool, args, title }: PreparedCall): Promise<AskRequest> {
    const path = typeof args['path'] === 'string' ? args['path'] : '';
    const command = typeof args['command'] === 'string' ? args['command'] : null;
    return {
      kind: 'permission',
      title: askTitle(tool.name, path, title),
      tool: tool.name,
      detail: command ?? (tool.permission === 'edit' ? path : JSON.stringify(args, null, 2)),
      diff: await editPreview(this.#workspace, tool.name, args),
    };
  }
}

function askTitle(tool: string, path: string, title: string): string {
  if (tool === 'bash') return 'Run a command';
  if (tool === 'edit') return `Edit ${path}`;
  if (tool === 'write') return `Write ${path}`;
  return tool === DELEGATE ? 'Delegate to the agent command' : title;
}

function denied({ note }: AskAnswer): string {
  const why = note === null || note.trim() === '' ? '' : `: ${note.trim()}`;
  return `Not run: permission was denied${why}. Do not try to get around this; go another way, or say at the end what could not be done.`;
}
