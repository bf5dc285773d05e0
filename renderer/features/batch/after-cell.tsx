import { useId, useState } from 'react';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { placesInWords, readPlaces, withAfter, type After } from './after.ts';
import { edit, useBatch } from './batch-store.ts';

const words = startStrings.batch;

function AfterForm({
  rowKey,
  number,
  after,
  onDone,
}: {
  readonly rowKey: string;
  readonly number: number;
  readonly after: After;
  readonly onDone: () => void;
}) {
  const count = useBatch((state) => state.draft.rows.length);
  const [text, setText] = useState(placesInWords(after.places));
  const [anyOutcome, setAnyOutcome] = useState(after.anyOutcome);
  const hint = useId();
  const places = readPlaces(text, count, number - 1);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (places === null) return;
        edit((draft) => withAfter(draft, rowKey, places, anyOutcome));
        onDone();
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">{words.afterTasks}</span>
        <input
          className="field"
          autoFocus
          value={text}
          aria-invalid={places === null || undefined}
          aria-describedby={hint}
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
      </label>
      <p id={hint} className={`text-11 ${places === null ? 'text-bad-text' : 'text-ink-3'}`}>
        {places === null ? words.afterWrong : words.afterHint}
      </p>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="check"
          checked={anyOutcome}
          onChange={(event) => {
            setAnyOutcome(event.target.checked);
          }}
        />
        {words.afterAny}
      </label>
      <Button type="submit" className="self-end" disabled={places === null}>
        {words.done}
      </Button>
    </form>
  );
}

/** The tasks that a task waits for, by their numbers. */
export function AfterCell({
  rowKey,
  number,
  after,
  wrong,
}: {
  readonly rowKey: string;
  readonly number: number;
  readonly after: After;
  readonly wrong: boolean;
}) {
  const known = placesInWords(after.places);
  const all = [known, ...after.unknown.map((id) => `“${id}”`)].filter((part) => part !== '').join(', ');
  const text = all === '' ? words.nothingBefore : after.anyOutcome ? words.afterEnded(all) : all;
  const name = words.after(number, all === '' ? words.atOnce : text);
  return (
    <Popover
      name={name}
      className="w-[248px]"
      trigger={
        <button
          type="button"
          data-part="after"
          className={`task-press el ${wrong ? 'text-bad-text underline' : all === '' ? 'text-ink-3' : ''}`}
          aria-label={name}
          title={text}
        >
          {text}
        </button>
      }
    >
      {(close) => <AfterForm rowKey={rowKey} number={number} after={after} onDone={close} />}
    </Popover>
  );
}
