import { useState } from 'react';
import type { ProcessUse } from '../../../core/protocol/processes.ts';
import { formatClock, formatTime } from '../../shared/format.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import {
  cpuShares,
  formatBytes,
  memoryOf,
  processLines,
  shortCommand,
  type Measured,
  type ProcessLine,
} from './process-tree.ts';

const words = inspectStrings.process;

function Line({ line, share }: { readonly line: ProcessLine; readonly share: number | undefined }) {
  const { use, level } = line;
  const command = visibleText(use.command);
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: 16 + (level - 1) * 12 }} title={command}>
        <code>{visibleText(shortCommand(use.command))}</code>
      </th>
      <td className="select-text">{use.pid}</td>
      <td title={words.memoryTitle(formatBytes(use.rss_bytes))}>{formatBytes(memoryOf(use))}</td>
      <td title={words.cpuTitle(use.cpu_seconds.toFixed(1))}>{share === undefined ? '–' : `${share} %`}</td>
      <td title={formatClock(use.started_at)}>{formatTime(use.started_at)}</td>
    </tr>
  );
}

/** The measurement before the one that is shown. */
function useBefore(now: Measured): Measured | null {
  const [pair, setPair] = useState<{ readonly now: Measured; readonly before: Measured | null }>({ now, before: null });
  if (pair.now.at === now.at) return pair.before;
  setPair({ now, before: pair.now });
  return pair.now;
}

/** The processes of a live attempt as a tree, with what each uses. */
export function ProcessTable({ at, processes }: { readonly at: number; readonly processes: readonly ProcessUse[] }) {
  const now = { at, processes };
  const before = useBefore(now);
  const shares = cpuShares(before, now);
  const { columns } = words;
  const memory = processes.reduce((sum, use) => sum + memoryOf(use), 0);
  return (
    <section className="process-part is-wide" aria-label={words.processes}>
      <table className="process-table">
        <caption>{words.sum(processes.length, formatBytes(memory))}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.process}</th>
            <th scope="col">{columns.pid}</th>
            <th scope="col">{columns.memory}</th>
            <th scope="col">{columns.cpu}</th>
            <th scope="col">{columns.since}</th>
          </tr>
        </thead>
        <tbody>
          {processLines(processes).map((line) => (
            <Line key={line.use.pid} line={line} share={shares.get(line.use.pid)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
