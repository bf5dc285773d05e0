import { memo, type KeyboardEvent, type PointerEvent, type Ref } from 'react';
import type { BatchProblem } from '../../../core/protocol/errors.ts';
import type { Isolation } from '../../../core/protocol/settings.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { AfterCell } from './after-cell.tsx';
import type { After } from './after.ts';
import { AttachmentList } from './attachment-list.tsx';
import { edit, setActive } from './batch-store.ts';
import { AgentCell, IsolationCell } from './choice-cells.tsx';
import type { Row, TaskFields } from './draft.ts';
import { Grip } from './grip.tsx';
import { LimitsCell } from './limits-cell.tsx';
import { ModelCell } from './model-cell.tsx';
import { isWrong } from './problems.ts';
import { withTask } from './row-operations.ts';
import { RowMenu } from './row-menu.tsx';
import { onPasteGoal, takeImages } from './row-paste.ts';
import { RowProblems } from './row-problems.tsx';
import { onGoalKey } from './goal-keys.ts';
import { textOf, withField } from './task-fields.ts';
import { TaskText } from './task-text.tsx';
import { effective, type World } from './world.ts';

const words = startStrings.batch;

export interface TaskRowProps {
  readonly row: Row;
  /** 0-based. */
  readonly place: number;
  readonly last: boolean;
  readonly after: After;
  readonly problems: readonly BatchProblem[];
  readonly head: TaskFields;
  readonly world: World;
  readonly isolations: readonly Isolation[];
  readonly active: boolean;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly dragged: boolean;
  readonly measure: Ref<HTMLDivElement>;
  readonly onGrip: (event: PointerEvent<HTMLElement>, key: string) => void;
  readonly onMoveKey: (event: KeyboardEvent<HTMLElement>, key: string, place: number) => void;
}

function Words({ row, place, problems, head, world, last, active }: TaskRowProps) {
  const set = (field: string) => (value: string) => {
    edit((draft) =>
      withTask(draft, row.key, (task) =>
        value === '' && field === 'goal' ? { ...task, goal: '' } : withField(task, field, value),
      ),
    );
  };
  const { command } = effective(row.task, head, world);
  const describedBy = problems.length === 0 ? undefined : `problems-${row.key}`;
  const label = textOf(row.task, 'label');
  const context = textOf(row.task, 'context');
  const number = place + 1;
  return (
    <div role="cell" className="task-words">
      {label !== '' && (
        <TaskText
          part="label"
          className="font-med"
          name={words.label(number)}
          value={label}
          placeholder={words.labelPlaceholder}
          onChange={set('label')}
        />
      )}
      <TaskText
        part="goal"
        className={`${command ? 'font-mono text-mono' : ''} ${label === '' ? 'font-med' : 'text-ink-2'}`}
        name={words.goal(number)}
        value={textOf(row.task, 'goal')}
        placeholder={words.goalPlaceholder}
        wrong={isWrong(problems, 'goal')}
        describedBy={describedBy}
        onChange={set('goal')}
        onKeyDown={(event) => {
          onGoalKey(event, row, place, last);
        }}
        onPaste={(event) => {
          onPasteGoal(event, row.key);
        }}
      />
      {(label === '' || context !== '' || active) && (
        <TaskText
          part="context"
          className="text-ink-3"
          name={words.context(number)}
          value={context}
          placeholder={words.contextPlaceholder}
          wrong={isWrong(problems, 'context')}
          onChange={set('context')}
        />
      )}
      <AttachmentList row={row} number={number} />
    </div>
  );
}

function Choices({ row, place, problems, head, world, isolations, after }: TaskRowProps) {
  const { key, task } = row;
  const run = effective(task, head, world);
  const set = (field: string) => (value: string) => {
    edit((draft) => withTask(draft, key, (before) => withField(before, field, value)));
  };
  const number = place + 1;
  return (
    <>
      <div role="cell" className="task-cell">
        <AgentMark agent={run.agent} />
        <AgentCell
          number={number}
          value={textOf(task, 'agent')}
          head={head}
          world={world}
          wrong={isWrong(problems, 'agent')}
          onChange={set('agent')}
        />
      </div>
      <div role="cell" className="task-cell">
        <ModelCell
          number={number}
          run={run}
          value={textOf(task, 'model')}
          world={world}
          wrong={isWrong(problems, 'model')}
          onChange={set('model')}
        />
      </div>
      <div role="cell" className="task-cell">
        <IsolationCell
          number={number}
          value={textOf(task, 'isolation')}
          isolations={isolations}
          common={run.isolation}
          wrong={isWrong(problems, 'isolation')}
          onChange={set('isolation')}
        />
      </div>
      <div role="cell" className="task-cell">
        <LimitsCell rowKey={key} number={number} task={task} limits={run.limits} wrong={isWrong(problems, 'limits')} />
      </div>
      <div role="cell" className="task-cell">
        <AfterCell rowKey={key} number={number} after={after} wrong={isWrong(problems, 'depends_on')} />
      </div>
    </>
  );
}

/** What a task waits for is read anew with every change; the same answer is no reason to draw the row again. */
function sameProps(before: TaskRowProps, next: TaskRowProps): boolean {
  return (Object.keys(next) as (keyof TaskRowProps)[]).every((key) =>
    key === 'after' ? JSON.stringify(before.after) === JSON.stringify(next.after) : Object.is(before[key], next[key]),
  );
}

/** One task of the batch. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { row, place, last, problems, active, top, dragged, measure, onGrip, onMoveKey } = props;
  return (
    <div
      ref={measure}
      role="row"
      aria-rowindex={place + 2}
      aria-label={words.task(place + 1)}
      className="task-row task-columns"
      data-index={place}
      data-row={row.key}
      data-wrong={problems.length > 0}
      data-active={active}
      data-dragged={dragged}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => {
        setActive(row.key);
      }}
      onKeyDown={(event) => {
        onMoveKey(event, row.key, place);
      }}
      onPaste={(event) => takeImages(event, row.key)}
      onDrop={(event) => takeImages(event, row.key)}
    >
      <div role="cell">
        <Grip number={place + 1} onPointerDown={(event) => onGrip(event, row.key)} />
      </div>
      <div role="cell" className="num text-ink-3">
        {place + 1}
      </div>
      <Words {...props} />
      <Choices {...props} />
      <div role="cell" className="task-more">
        <RowMenu row={row} number={place + 1} last={last} />
      </div>
      {problems.length > 0 && (
        <div role="cell" className="task-problems">
          <RowProblems id={`problems-${row.key}`} rowKey={row.key} task={row.task} problems={problems} />
        </div>
      )}
    </div>
  );
}, sameProps);
