import type { FeedMessage } from '../../core/protocol/feed.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../core/protocol/rows.ts';

/** The runs of what was started, a set or a lead, and of everything below: a parent may end before what it began (C3). */
export class OwnWork {
  readonly #id: string;
  readonly #runs = new Map<string, RunRow>();

  /** `id`: of the set, or of the lead's run. */
  constructor(id: string) {
    this.#id = id;
  }

  /** Takes in what the feed says of runs. */
  take(message: FeedMessage): void {
    if (message.type === 'hello') return;
    const rows =
      message.type === 'snapshot'
        ? message.snapshot.runs
        : message.changes.flatMap((change) => (change.type === 'run' ? [change.row] : []));
    for (const row of rows) this.#runs.set(row.run_id, row);
  }

  /** Something of it has not ended. */
  get isLive(): boolean {
    return [...this.#runs.values()].some((run) => !isEnded(run.state) && this.#isOwn(run));
  }

  #isOwn(run: RunRow): boolean {
    const root = this.#runs.get(run.root_run_id) ?? run;
    return [run, root].some(({ run_id, delegation_id }) => run_id === this.#id || delegation_id === this.#id);
  }
}
