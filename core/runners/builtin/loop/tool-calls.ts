import { err, type Result } from '../../../kit/result.ts';
import { DELEGATE } from '../../../protocol/delegate-tool.ts';
import { REPORT } from '../../../protocol/report-tool.ts';
import type { ToolCallEvent } from '../../../providers/stream/events.ts';
import { fence, neutralise } from '../../../workspace/fences/fence.ts';
import type { RunnerPort } from '../../contract.ts';
import { untilStopped } from '../../until-stopped.ts';
import { prepareCall, type PreparedCall } from '../tools/prepare-call.ts';
import { failure, type Tool, type ToolContext, type ToolImage, type ToolResult } from '../tools/tool.ts';
import { CallEntry } from './call-entry.ts';
import type { CallLimit } from './call-limit.ts';
import { waitsForChildren } from '../../../mcp/delegate-call.ts';
import { InFlight } from './in-flight.ts';
import type { Permissions } from './permission-ask.ts';
import type { StructuredOutput } from '../../structured-output.ts';

/** What calls are run with. */
export interface Workbench {
  readonly port: RunnerPort;
  readonly tools: readonly Tool[];
  readonly permissions: Permissions;
  readonly limit: CallLimit;
  readonly output: StructuredOutput | null;
  /** Whether a delegation waits when the model does not say (P1). */
  readonly waitByDefault: boolean;
  /** Why the run may not delegate, in words for the model; null when it may. */
  readonly noDelegation: string | null;
  readonly context: Omit<ToolContext, 'signal' | 'onOutput'>;
  /** Characters that still fit into the run's context (P5). */
  contextChars(): number;
}

/** The result of one call, in the order of the calls. */
export interface CallOutcome {
  readonly id: string;
  readonly name: string;
  /** For the model, before it is fenced and bounded. */
  readonly text: string;
  readonly isError: boolean;
  /** How the text reaches the model: as data of a tool or a child, or as our own words. */
  readonly source: 'tool_result' | 'child_answer' | 'loop';
  readonly images: readonly ToolImage[];
  /** The delegation that now runs in the background. */
  readonly background: string | null;
}

/** A call of the message, on its way to a result. */
interface PendingCall {
  readonly event: ToolCallEvent;
  readonly prepared: Result<PreparedCall, ToolResult>;
  readonly entry: CallEntry;
}

const CUT =
  'The message ended inside this call, so its arguments are cut and nothing was run. Send the call again, whole; if it was too long, do the work in smaller calls.';

const STOPPED = 'Not run: the run was stopped.';

/**
 * Runs the calls of one model message: consecutive read-only and delegate calls at once, all others in order (R4). Every call gets exactly
 * one result, in the order of the calls. `turn` is unique in the run; with the call's id it makes a call to the core unique (P7).
 */
export async function runCalls(
  calls: readonly ToolCallEvent[],
  turn: number,
  bench: Workbench,
): Promise<CallOutcome[]> {
  const delegations = calls.filter(({ name }) => name === DELEGATE).length;
  const runner = new CallRunner(bench, turn, delegations);
  const pending = calls.map((event) => runner.open(event));
  const outcomes: CallOutcome[] = [];
  for (const group of groups(pending)) {
    outcomes.push(...(await Promise.all(group.map((call) => runner.run(call)))));
  }
  return outcomes;
}

/** Gives every call a result that says why it is not run; only `report_result` is taken (R4, P8). */
export async function refuseCalls(
  calls: readonly ToolCallEvent[],
  why: string,
  bench: Workbench,
): Promise<CallOutcome[]> {
  const runner = new CallRunner(bench, 0, 0);
  const outcomes: CallOutcome[] = [];
  for (const event of calls) {
    const call = runner.open(event);
    outcomes.push(event.name === REPORT ? await runner.run(call) : refused(call, why));
  }
  return outcomes;
}

/** What the model gets of a result: data is fenced, so that nothing in it passes for ours (K2). */
export function resultText({ source, text, name }: CallOutcome): string {
  return source === 'loop' ? neutralise(text) : fence(source, text, { tool: name });
}

/** Runs of calls that may go at once. */
function groups(calls: readonly PendingCall[]): PendingCall[][] {
  const all: PendingCall[][] = [];
  let open: PendingCall[] | null = null;
  for (const call of calls) {
    if (!mayShare(call)) {
      all.push([call]);
      open = null;
    } else if (open) open.push(call);
    else all.push((open = [call]));
  }
  return all;
}

function mayShare({ prepared, event }: PendingCall): boolean {
  return !prepared.ok || prepared.value.tool.readOnly || event.name === DELEGATE;
}

function outcome({ event }: PendingCall, text: string, more: Partial<CallOutcome>): CallOutcome {
  const { id, name } = event;
  return { id, name, text, isError: false, source: 'loop', images: [], background: null, ...more };
}

function refused(call: PendingCall, text: string): CallOutcome {
  call.entry.end('refused', text);
  return outcome(call, text, { isError: true });
}

class CallRunner {
  readonly #bench: Workbench;
  readonly #turn: number;
  /** Calls that share what is left of the context. */
  readonly #delegations: number;
  readonly #flight: InFlight;

  constructor(bench: Workbench, turn: number, delegations: number) {
    this.#bench = bench;
    this.#turn = turn;
    this.#delegations = delegations;
    this.#flight = new InFlight(bench.port);
  }

  open(event: ToolCallEvent): PendingCall {
    const { id, name, raw_arguments, complete } = event;
    const { tools, noDelegation } = this.#bench;
    // The model may know the tool from elsewhere: it is told of the limit, not that there is no such tool (R2).
    const mayNot = name === DELEGATE ? noDelegation : null;
    const wrong = complete ? mayNot : CUT;
    const prepared = wrong === null ? prepareCall(tools, name, raw_arguments) : err(failure(wrong));
    const title = prepared.ok ? prepared.value.title : name;
    const entry = new CallEntry(this.#bench.port, { call_id: id, name, title, arguments: raw_arguments });
    return { event, prepared, entry };
  }

  async run(call: PendingCall): Promise<CallOutcome> {
    const { port, limit } = this.#bench;
    const { prepared, event } = call;
    if (port.stop.aborted) return refused(call, STOPPED);
    if (event.name !== REPORT) limit.add();
    if (event.name === REPORT) return this.#report(call);
    if (!prepared.ok) return refused(call, prepared.error.text);
    const overLimit = limit.refusal(prepared.value.tool);
    if (overLimit !== null) return refused(call, overLimit);
    try {
      const denial = await this.#bench.permissions.refusal(prepared.value);
      if (denial !== null) return refused(call, denial);
      return await this.#perform(call, prepared.value);
    } catch (cause) {
      if (port.stop.aborted) return refused(call, STOPPED);
      const words = cause instanceof Error ? cause.message : String(cause);
      const text = `The tool failed in a way that it should not: ${words}`;
      call.entry.end('error', text);
      return outcome(call, text, { isError: true });
    }
  }

  #perform(call: PendingCall, prepared: PreparedCall): Promise<CallOutcome> {
    const { port } = this.#bench;
    call.entry.running();
    port.activity(prepared.title);
    port.alive();
    if (prepared.tool.name !== DELEGATE) return this.#flight.work(() => this.#runTool(call, prepared));
    const delegate = (): Promise<CallOutcome> => this.#delegate(call, prepared);
    const waits = waitsForChildren(prepared.args, this.#bench.waitByDefault);
    return waits ? this.#flight.wait(delegate) : this.#flight.work(delegate);
  }

  async #runTool(call: PendingCall, { tool, args }: PreparedCall): Promise<CallOutcome> {
    const { port, context } = this.#bench;
    const onOutput = (chunk: string): void => {
      call.entry.append(chunk);
      port.alive();
    };
    const result = await tool.run(args, { ...context, signal: port.stop, onOutput });
    port.alive();
    const { text, isError, display, images } = result;
    call.entry.end(isError ? 'error' : 'ok', text, display ?? null);
    return outcome(call, text, { isError, source: 'tool_result', images: images ?? [] });
  }

  async #delegate(call: PendingCall, { args }: PreparedCall): Promise<CallOutcome> {
    const { port, contextChars } = this.#bench;
    const room = Math.floor(contextChars() / Math.max(1, this.#delegations));
    const answer = port.call(`${this.#turn}:${call.event.id}`, DELEGATE, args, room);
    const { isError, text, background, display } = await untilStopped(port.stop, answer);
    call.entry.end(isError ? 'error' : 'ok', text, display);
    return outcome(call, text, { isError, source: isError ? 'loop' : 'child_answer', background });
  }

  #report(call: PendingCall): CallOutcome {
    const { output } = this.#bench;
    const { prepared } = call;
    if (output === null) return refused(call, 'No structured output was asked for.');
    if (!prepared.ok) {
      output.refuse(prepared.error.text);
      return refused(call, output.rejection);
    }
    const fits = output.takeArguments(prepared.value.args);
    const text = fits ? 'Accepted.' : output.rejection;
    call.entry.end(fits ? 'ok' : 'error', text);
    return outcome(call, text, { isError: !fits });
  }
}
