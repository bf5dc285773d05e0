import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { edit } from './batch-store.ts';
import type { TaskFields } from './draft.ts';
import { mended, mendOf } from './problems.ts';
import { partOfField, requestRow } from './row-focus.ts';

const words = startStrings.batch;
/** Problems shown of one row at first. */
const SHOWN = 3;

/** In its row a problem need not say which task it is of. */
function ofRow(message: string): string {
  const said = message.replace(/^Task \d+: /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function Problem({
  rowKey,
  task,
  problem,
}: {
  readonly rowKey: string;
  readonly task: TaskFields;
  readonly problem: BatchProblem;
}) {
  const mend = mendOf(task, problem);
  const choose = problem.field === null ? undefined : words.choose[problem.field];
  return (
    <li className="task-problem">
      <span className="font-med text-bad-text">{ofRow(problem.message)}</span>
      {/* A press on the button does what it says. */}
      {mend === null && <span className="text-ink-2">{problem.fix}</span>}
      {mend !== null && (
        <Button
          onClick={() => {
            edit((draft) => mended(draft, rowKey, mend));
            requestRow(rowKey, partOfField(problem.field));
          }}
        >
          {mend.type === 'use' ? words.useWord(mend.word) : words.renameTo(mend.word)}
        </Button>
      )}
      {choose !== undefined && (
        <Button
          kind="text"
          className="text-ink-2"
          onClick={() => {
            requestRow(rowKey, partOfField(problem.field));
          }}
        >
          {choose}
        </Button>
      )}
    </li>
  );
}

/** What is wrong with a task, what to do, and buttons that do it. */
export function RowProblems({
  id,
  rowKey,
  task,
  problems,
}: {
  readonly id: string;
  readonly rowKey: string;
  readonly task: TaskFields;
  readonly problems: readonly BatchProblem[];
}) {
  return (
    <ul id={id}>
      {problems.slice(0, SHOWN).map((problem) => (
        <Problem key={`${problem.field ?? ''} ${problem.message}`} rowKey={rowKey} task={task} problem={problem} />
      ))}
      {problems.length > SHOWN && <li className="text-ink-2">{words.moreProblems(problems.length - SHOWN)}</li>}
    </ul>
  );
}
