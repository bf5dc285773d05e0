import { availableParallelism } from 'node:os';
import type { AgentDefinition } from '../../protocol/agents.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import { StartGate, type LeaveGate } from './start-gate.ts';

/**
 * Holds back the starts of agent programs that would be in each other's way (R1): those that keep a processor busy while they start are limited by
 * the processors, and those that share files become ready one at a time. A place is given back when the program is ready, or its attempt has ended.
 */
export class AgentGates {
  readonly #heavy: StartGate;
  /** By what they share. */
  readonly #exclusive = new Map<string, StartGate>();

  constructor(places = availableParallelism()) {
    this.#heavy = new StartGate(places);
  }

  /** Whether the agent's start has to wait for others at all. */
  guards(agent: AgentDefinition): boolean {
    const start = profileOf(agent)?.start;
    return start !== undefined && (start.heavy || start.exclusive !== null);
  }

  /** Resolves with a place; with none when the signal was aborted before there was one. */
  async enter(agent: AgentDefinition, signal: AbortSignal): Promise<LeaveGate> {
    const profile = profileOf(agent);
    if (profile === null) return () => undefined;
    const gates: StartGate[] = [];
    if (profile.start.exclusive !== null) gates.push(this.#gateOf(profile.start.exclusive));
    if (profile.start.heavy) gates.push(this.#heavy);
    const leaves: LeaveGate[] = [];
    const leave = (): void => leaves.forEach((one) => one());
    for (const gate of gates) {
      const left = await gate.enter(signal);
      if (left === null) {
        leave();
        return () => undefined;
      }
      leaves.push(left);
    }
    return leave;
  }

  #gateOf(shared: string): StartGate {
    const gate = this.#exclusive.get(shared) ?? new StartGate(1);
    this.#exclusive.set(shared, gate);
    return gate;
  }
}
