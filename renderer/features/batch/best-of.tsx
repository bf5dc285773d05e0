import { useState } from 'react';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { useActiveRow } from './apply-menu.tsx';
import { edit, useBatch } from './batch-store.ts';
import { bestOf, MOST_TRIES } from './row-operations.ts';
import { effective, type World } from './world.ts';

const words = startStrings.batch;
const USUAL_TRIES = 3;

function BestOfForm({ world, onDone }: { readonly world: World; readonly onDone: () => void }) {
  const row = useActiveRow();
  const head = useBatch((state) => state.draft.head);
  const [tries, setTries] = useState<number | null>(USUAL_TRIES);
  const [by, setBy] = useState('same');
  if (row === null) return null;
  const own = effective(row.task, head, world);
  const others = world.agents.filter(({ id, runner }) => id !== own.agent && runner !== 'command').map(({ id }) => id);
  const agents = [own.agent, ...others].slice(0, MOST_TRIES);
  const fits = tries !== null && Number.isInteger(tries) && tries >= 2 && tries <= MOST_TRIES;
  const choices: SelectOption[] = [{ value: 'same', label: words.sameAgent }];
  if (!own.command && others.length > 0)
    choices.push({ value: 'each', label: words.oneEach(agents.slice(0, tries ?? 2).join(', ')) });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fits) return;
        edit((draft) => bestOf(draft, row.key, tries, by === 'each' ? agents : []), words.did.bestOf(row.number));
        onDone();
      }}
    >
      <p className="text-ink-2">{words.bestOfTask(row.number)}</p>
      <div className="flex items-center justify-between gap-2">
        <span aria-hidden>{words.tries}</span>
        <NumberField
          name={words.tries}
          className="w-[64px]"
          autoFocus
          value={tries}
          wrong={!fits}
          placeholder={`2–${MOST_TRIES}`}
          onChange={setTries}
        />
      </div>
      <div className="flex items-center justify-between gap-2">
        <span aria-hidden>{words.triesBy}</span>
        <Select name={words.triesBy} className="max-w-[200px]" value={by} options={choices} onChange={setBy} />
      </div>
      <Button type="submit" className="self-end" disabled={!fits}>
        {words.makeTries}
      </Button>
    </form>
  );
}

/** Makes several tries of the task that is in use. */
export function BestOfPopover({ world }: { readonly world: World }) {
  const count = useBatch((state) => state.draft.rows.length);
  return (
    <Popover
      name={words.bestOf}
      className="w-[280px]"
      trigger={
        <Button kind="text" className="text-ink-2" disabled={count === 0}>
          {words.bestOf}
        </Button>
      }
    >
      {(close) => <BestOfForm world={world} onDone={close} />}
    </Popover>
  );
}
