import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { RunReport } from '../../protocol/report.ts';
import { fence, neutralise } from '../../workspace/fences/fence.ts';
import type { RunnerEnd, RunnerPort } from '../contract.ts';
import { cutBy } from '../cut-by.ts';
import { messageText } from '../message-text.ts';
import { untilStopped } from '../until-stopped.ts';
import { agentPrompt, repairPrompt } from '../agent-prompt.ts';
import type { AgentRun } from './agent-run.ts';
import type { Meter } from './meter.ts';
import type { Offer } from '../offer.ts';
import type { CliSession } from './session.ts';
import type { Steering } from './steering.ts';
import type { TranscriptWriter } from './transcript-writer.ts';

interface Parts {
  readonly assignment: Assignment;
  readonly port: RunnerPort;
  readonly profile: AgentProfile;
  readonly run: AgentRun;
  readonly offer: Offer;
  readonly meter: Meter;
  readonly steering: Steering;
  readonly writer: TranscriptWriter;
  /** What an earlier attempt of this run, or the run that it continues, left. */
  readonly session: CliSession | null;
}

/** The turns of one run: its goal, one repair of its output, what people say after an answer, the messages to a lead. */
export class CliConversation {
  readonly #parts: Parts;
  #answer = '';
  #error: RunReport['error'] = null;
  #limit: RunReport['limit'] = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const id of parts.session?.open_delegations ?? []) parts.offer.openDelegations.add(id);
  }

  /** Runs to the end. Never rejects: what goes wrong is in the report. */
  async hold(): Promise<RunnerEnd> {
    const { port, run } = this.#parts;
    try {
      await this.#talk();
    } catch (cause) {
      if (!port.stop.aborted)
        this.#error = { reason: 'internal', message: cause instanceof Error ? cause.message : String(cause) };
    }
    await run.close();
    return { report: this.#report(), session: this.#session() };
  }

  async #talk(): Promise<void> {
    let prompt = this.#opening();
    for (;;) {
      prompt ??= await this.#nextMessage();
      if (prompt === null) return;
      await untilStopped(this.#parts.port.stop, this.#parts.port.whileNotPaused());
      this.#parts.port.state('running');
      if (!(await this.#turn(this.#withNews(prompt)))) return;
      prompt = this.#limit === null ? this.#moreToSay() : null;
      if (prompt === null && !this.#waitsForMore()) return;
      if (prompt === null && this.#parts.assignment.lead)
        this.#parts.port.answered(this.#answer, this.#session(), this.#report());
    }
  }

  /** Null: the run had answered before, and goes on with its next message. */
  #opening(): string | null {
    const { assignment, port, session } = this.#parts;
    if (session !== null && (assignment.lead || session.run_id === assignment.run_id)) return null;
    port.transcript.add({ type: 'user', origin: 'goal', steer_id: null }, assignment.goal);
    if (session !== null) return neutralise(assignment.goal);
    return agentPrompt(assignment);
  }

  /** What is next said to the agent, with the news that came meanwhile (P3): not every agent hears them while it works. */
  #withNews(prompt: string): string {
    const { port } = this.#parts;
    const news = port.takeNotices().map((notice) => {
      port.transcript.add({ type: 'user', origin: 'notice', steer_id: null }, notice);
      return fence('message', notice);
    });
    return [...news, prompt].join('\n\n');
  }

  /** False when the run is over. The turns of a lead are counted by message: it waits for its next one (T1). */
  async #turn(prompt: string): Promise<boolean> {
    const { run, writer, assignment } = this.#parts;
    const end = await run.turn(prompt);
    this.#answer = end.failure === null && end.answer?.trim() ? end.answer : writer.answer;
    if (end.failure !== null) this.#error = { ...end.failure };
    this.#limit = this.#limitOf(end);
    if (this.#error !== null) return false;
    return this.#limit === null || (assignment.lead && this.#limit === 'max_turns');
  }

  /** The limit that has cut the turn. No other turn follows for an output then: one that the last words hold counts (T2). */
  #limitOf({ reached, limit }: Awaited<ReturnType<AgentRun['turn']>>): RunReport['limit'] {
    const { output } = this.#parts.offer;
    const cut = reached ?? limit ?? null;
    if (cut !== null && output?.isValid === false) output.takeText(this.#answer);
    // An accepted output is whole, wherever the text beside it was cut.
    return reached === undefined && cut === 'max_tokens' && output?.isValid === true ? null : cut;
  }

  /** One repair of an output that was not accepted (P8), else what people said meanwhile. */
  #moreToSay(): string | null {
    const { offer, port, steering } = this.#parts;
    const { output } = offer;
    if (output !== null && !output.isValid && !output.takeText(this.#answer) && output.report.retries === 0) {
      output.repair();
      const repair = repairPrompt(output.report.errors);
      port.transcript.add({ type: 'user', origin: 'repair', steer_id: null }, repair);
      return repair;
    }
    const steers = steering.forNextTurn();
    if (steers.length === 0) return null;
    for (const { steer_id, mode, text } of steers) port.transcript.add({ type: 'user', origin: mode, steer_id }, text);
    steering.prompted(steers.map(({ steer_id }) => steer_id));
    return steers.map(({ text }) => neutralise(text)).join('\n\n');
  }

  #waitsForMore(): boolean {
    return this.#parts.assignment.lead || this.#parts.offer.openDelegations.size > 0;
  }

  /** The next message to the run; null when there is none and it is to end. */
  async #nextMessage(): Promise<string | null> {
    const { port, offer, meter, assignment, steering } = this.#parts;
    const message = await untilStopped(port.stop, port.nextMessage());
    if (message === null) return null;
    if (message.delegation_id !== null) offer.openDelegations.delete(message.delegation_id);
    if (assignment.lead) meter.turnsSinceMessage = 0;
    const steerId = message.origin === 'message' ? message.message_id : null;
    port.transcript.add({ type: 'user', origin: message.origin, steer_id: steerId }, message.text);
    steering.prompted([message.message_id]);
    return messageText(message);
  }

  #session(): CliSession | null {
    const { run, assignment, profile, offer } = this.#parts;
    if (run.session === null) return null;
    return {
      v: 1,
      runner: 'cli',
      run_id: assignment.run_id,
      adapter: profile.id,
      session: run.session,
      open_delegations: [...offer.openDelegations],
    };
  }

  #report(): RunReport {
    const { port, offer, meter, writer, run, steering } = this.#parts;
    const { output } = offer;
    // Whoever reads that it stalled is told what was last seen of it.
    const seen = cutBy(port) === 'stalled' ? run.lastSeen : null;
    return {
      progress: meter.progress(port.activeSeconds()),
      answer: this.#answer === '' ? writer.answer : this.#answer,
      ...(output?.isValid ? { output: output.value } : {}),
      schema: output?.report ?? null,
      error: this.#error ?? seen,
      limit: this.#limit,
      ended_on_tool_error: writer.endedOnToolError,
      exit: null,
      cut_by: cutBy(port),
      files_read: writer.filesRead,
      files_written: writer.filesWritten,
      background: [...run.background],
      missed_steer: steering.missed(),
    };
  }
}
