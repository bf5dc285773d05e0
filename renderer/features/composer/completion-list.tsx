import { workStrings } from '../../shared/work-strings.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { Candidate } from './completion.ts';
import type { Completion } from './use-completion.ts';

const words = workStrings.composer;

const ICONS: Readonly<Record<Candidate['kind'], IconName>> = { file: 'file', agent: 'tool', run: 'delegate' };

/** Id of a line, for the text box to name the chosen one. */
export const lineId = (list: string, at: number): string => `${list}-${at}`;

/** What can be put in place of the `@…`, above the box. The focus stays in the box. */
export function CompletionList({ id, completion }: { readonly id: string; readonly completion: Completion }) {
  if (completion.items.length === 0) return null;
  return (
    <ul id={id} className="completions" role="listbox" aria-label={words.completions}>
      {completion.items.map((item, at) => (
        <li
          key={item.key}
          id={lineId(id, at)}
          role="option"
          className="completion"
          aria-selected={at === completion.at}
          onMouseDown={(event) => {
            // The box keeps the focus, and the caret its place.
            event.preventDefault();
            completion.choose(item);
          }}
        >
          <Icon name={ICONS[item.kind]} />
          <span className="el grow">{item.text}</span>
          <span className="flex-none text-11 text-ink-3">{words.kinds[item.kind]}</span>
        </li>
      ))}
    </ul>
  );
}
