import { useCommands } from '../../app/commands.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { KeyCap, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { strings } from '../../shared/strings.ts';
import { PLACE_KEYS, type Shortcut } from './place-keys.ts';

const words = startStrings.shortcuts;

function Part({ title, keys }: { readonly title: string; readonly keys: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map((key) => (
          <div key={key.words}>
            <dt className="text-ink-2">{key.words}</dt>
            <dd className="flex flex-none gap-1">
              {key.chords.map((chord) => (
                <KeyCap key={chord} chord={chord} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** All keys, on `?`. */
export function Shortcuts() {
  const open = useOverlay((state) => state.overlay?.type === 'shortcuts');
  const commands = useCommands((state) => state.commands);
  if (!open) return null;
  const byId = new Map(commands.map((command) => [command.id, command]));
  const everywhere = [...byId.values()].flatMap(({ chord, title }) =>
    chord === null ? [] : [{ words: title, chords: [chord] }],
  );
  return (
    <Dialog name={words.title} onClose={closeOverlay} className="w-[640px]">
      <div className="flex items-center px-4 pt-3">
        <h2 className="grow text-15 font-semi">{words.title}</h2>
        <IconButton icon="close" name={strings.dialog.close} onClick={closeOverlay} />
      </div>
      <div className="max-h-[70vh] overflow-auto px-4 pt-2 pb-4" tabIndex={0} role="region" aria-label={words.title}>
        {/* Columns of a box whose height is bounded go on to its side; these grow, and what is around them scrolls. */}
        <div className="shortcut-columns">
          <Part title={words.everywhere} keys={everywhere} />
          {PLACE_KEYS.map(({ title, keys }) => (
            <Part key={title} title={title} keys={keys} />
          ))}
        </div>
      </div>
    </Dialog>
  );
}
