import { expect } from 'vitest';
import type { Dirty, Step } from '../delegation/step.ts';
import type { ConversationTree } from '../delegation/tree.ts';
import { DelegationWorld } from './delegation.ts';

/** Which rows of a tree are written by which mark. */
const WRITTEN = [
  ['runs', 'runs'],
  ['facts', 'runs'],
  ['sets', 'sets'],
  ['steers', 'steers'],
  ['asks', 'asks'],
  ['calls', 'calls'],
  ['deliveries', 'deliveries'],
  ['holds', 'holds'],
  ['usage', 'usage'],
] as const satisfies readonly (readonly [keyof ConversationTree, keyof Dirty])[];

type Before = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** A world that looks, after each decision, whether all that it changed will be written (D3): what is not is lost with the core. */
export class WatchedWorld extends DelegationWorld {
  override decide<T>(decide: (step: Step) => T): T {
    const before = new Map(WRITTEN.map(([kind]) => [kind, new Map<string, unknown>(this.tree[kind])]));
    let taken: Step | null = null;
    const answer = super.decide((step) => {
      taken = step;
      return decide(step);
    });
    if (taken !== null) expectWritten(before, taken);
    return answer;
  }
}

function expectWritten(before: Before, { tree, dirty, events }: Step): void {
  for (const [kind, mark] of WRITTEN) {
    const then = before.get(kind) ?? new Map<string, unknown>();
    const now: ReadonlyMap<string, unknown> = tree[kind];
    const unmarked = new Set([...then.keys(), ...now.keys()].filter((id) => !dirty[mark].has(id)));
    const lost = [...unmarked].filter((id) => then.get(id) !== now.get(id) && !isSame(then.get(id), now.get(id)));
    if (lost.length > 0) expect.fail(`${kind} ${lost.join()} changed by ${events.map(({ type }) => type).join()}`);
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
