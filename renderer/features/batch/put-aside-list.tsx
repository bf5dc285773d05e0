import { useId } from 'react';
import { formatDay, formatTime } from '../../shared/format.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { addAside, deleteAside, openAside, useBatch } from './batch-store.ts';
import type { Draft } from './draft.ts';
import { MOST_ASIDE, type PutAside } from './put-aside.ts';

const words = startStrings.batch.aside;

/** What a draft is called: its title, else what its first task is to do. */
function nameOf({ title, rows }: Draft): string {
  const goals = rows.map(({ task }) => task['goal']).filter((goal) => typeof goal === 'string');
  const [first = ''] = [title, ...goals].map((text) => text.trim()).filter((text) => text !== '');
  return visibleText(first.split('\n', 1)[0]?.slice(0, 80) ?? '') || startStrings.batch.untitled;
}

/** The time of day, of another day with its date. */
function timeOf(at: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date().toDateString()) return formatTime(at);
  return `${formatDay(`${then.getFullYear()}-${then.getMonth() + 1}-${then.getDate()}`)}, ${formatTime(at)}`;
}

function Line({ one, disabled }: { readonly one: PutAside; readonly disabled: boolean }) {
  const name = nameOf(one.draft);
  return (
    <li>
      <span className="el grow" title={name}>
        {name}
      </span>
      <span className="flex-none text-11 text-ink-3">{words.told(one.draft.rows.length, timeOf(one.at))}</span>
      <Button aria-label={words.openOf(name)} disabled={disabled} onClick={() => openAside(one.key)}>
        {words.open}
      </Button>
      <Button
        kind="text"
        className="text-ink-2"
        aria-label={words.addOf(name)}
        disabled={disabled}
        onClick={() => addAside(one.key, words.added(name))}
      >
        {words.add}
      </Button>
      <Button
        kind="text"
        className="text-ink-2"
        aria-label={words.deleteOf(name)}
        disabled={disabled}
        onClick={() => deleteAside(one.key, words.deleted(name))}
      >
        {words.delete}
      </Button>
    </li>
  );
}

/** The drafts that made way for the open one, the newest first: each is gone on with, added, or deleted. */
export function PutAsideList() {
  const list = useBatch((state) => state.aside);
  const starting = useBatch((state) => state.starting);
  const heading = useId();
  if (list.length === 0) return null;
  return (
    <section className="batch-aside" aria-labelledby={heading}>
      <h2 id={heading}>{words.heading(list.length)}</h2>
      {list.length >= MOST_ASIDE && <p className="text-11 text-ink-3">{words.full}</p>}
      {/* What scrolls can be scrolled by the keyboard: its buttons take the focus. */}
      <ul>
        {list.map((one) => (
          <Line key={one.key} one={one} disabled={starting} />
        ))}
      </ul>
    </section>
  );
}
