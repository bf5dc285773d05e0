import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { edit } from './batch-store.ts';
import type { TaskFields } from './draft.ts';
import { limitWords } from './limit-words.ts';
import { withTask } from './row-operations.ts';
import { numberIn, objectOf, withKey } from './task-fields.ts';

const words = startStrings.batch;

const FIELDS = [
  { key: 'max_cost_usd', name: words.limitCost, unit: 1 },
  { key: 'max_turns', name: words.limitTurns, unit: 1 },
  { key: 'timeout_seconds', name: words.limitMinutes, unit: 60 },
] as const;

interface LimitsProps {
  readonly rowKey: string;
  readonly number: number;
  readonly task: TaskFields;
  /** All that hold, also those of others. */
  readonly limits: TaskFields;
  readonly wrong: boolean;
}

function LimitsForm({ rowKey, task, limits, onDone }: LimitsProps & { readonly onDone: () => void }) {
  const own = objectOf(task, 'limits');
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
      }}
    >
      {FIELDS.map(({ key, name, unit }, place) => {
        const value = numberIn(own, key);
        const other = numberIn(limits, key);
        return (
          <div key={key} className="flex items-center justify-between gap-2">
            <span className="text-ink-2" aria-hidden>
              {name}
            </span>
            <NumberField
              name={name}
              className="w-[88px]"
              autoFocus={place === 0}
              value={value === null ? null : value / unit}
              placeholder={other === null ? words.unlimited : String(other / unit)}
              onChange={(next) => {
                const change = (before: TaskFields): TaskFields =>
                  withKey(before, 'limits', key, next === null ? undefined : next * unit);
                edit((draft) => withTask(draft, rowKey, change));
              }}
            />
          </div>
        );
      })}
      <Button type="submit" className="self-end">
        {words.done}
      </Button>
    </form>
  );
}

/** The limits of a task; what it does not say itself comes from the batch or its agent. */
export function LimitsCell(props: LimitsProps) {
  const { number, task, limits, wrong } = props;
  const text = limitWords(limits);
  const isOwn = Object.keys(objectOf(task, 'limits')).length > 0;
  const name = words.limits(number, text || words.noLimits);
  return (
    <Popover
      name={name}
      align="start"
      className="w-[232px]"
      trigger={
        <button
          type="button"
          data-part="limits"
          className={`task-press el ${wrong ? 'text-bad-text underline' : isOwn ? '' : 'text-ink-3'}`}
          aria-label={name}
          title={text}
        >
          {text || words.noLimits}
        </button>
      }
    >
      {(close) => <LimitsForm {...props} onDone={close} />}
    </Popover>
  );
}
