import { useRef } from 'react';
import type { SetRow } from '../../../core/protocol/rows.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ApplyMenu } from './apply-menu.tsx';
import { edit, undoEdit, useBatch } from './batch-store.ts';
import { BestOfPopover } from './best-of.tsx';
import { isEmpty, toBatch } from './draft.ts';
import { addBelow } from './row-menu.tsx';
import { useTargetSet } from './target-set.ts';
import type { World } from './world.ts';

const words = startStrings.batch;

/** How many tasks there are and where they came from. */
function Origin() {
  const count = words.count(useBatch((state) => state.draft.rows.length));
  const sources = useBatch((state) => state.draft.sources);
  const skipped = useBatch((state) => state.draft.skipped);
  const reading = useBatch((state) => state.reading > 0);
  const from = words.from(count, sources);
  return (
    <p className="el text-11 text-ink-3" role="status">
      {sources.length === 0 ? (
        count
      ) : (
        <>
          {from.before}
          <span className="text-ink-2">{from.names}</span>
        </>
      )}
      {skipped > 0 && `, ${words.skipped(skipped)}`}
      {reading && ` · ${words.reading}`}
    </p>
  );
}

function Undo() {
  const undo = useBatch((state) => state.undo);
  if (undo === null) return null;
  return (
    <Button kind="text" className="el min-w-0 text-ink-2" onClick={undoEdit} chord="mod+z">
      <span className="el">{words.undoOf(undo.words)}</span>
    </Button>
  );
}

/** The set that the tasks are added to: it has its title already. */
function Target({ set }: { readonly set: SetRow }) {
  const title = set.title === null ? '' : visibleText(set.title);
  return (
    <h2 className="el text-15 font-semi">
      {words.addTo(set.set)}
      {title !== '' && <span className="font-reg text-ink-2"> · {title}</span>}
    </h2>
  );
}

function Title() {
  const title = useBatch((state) => state.draft.title);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex min-w-0 items-center gap-2">
      <input
        ref={input}
        className="batch-title"
        aria-label={words.title}
        placeholder={words.untitled}
        value={title}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => {
          const { value } = event.target;
          edit((draft) => ({ ...draft, title: value }));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.currentTarget.blur();
        }}
      />
      <IconButton
        icon="edit"
        name={words.title}
        tabIndex={-1}
        className="-my-1 text-ink-3"
        onClick={() => input.current?.select()}
      />
    </div>
  );
}

/** The batches that are kept under a name, and this one as one of them. */
function Templates() {
  const empty = useBatch(({ draft }) => isEmpty(draft));
  return (
    <Menu
      trigger={
        <Button kind="text" className="text-ink-2">
          {workStrings.history.templatesButton}
        </Button>
      }
      groups={[
        [
          {
            label: workStrings.history.saveTemplate,
            disabled: empty,
            onSelect: () => {
              const { draft } = useBatch.getState();
              openOverlay({ type: 'save-template', batch: toBatch(draft), name: draft.title });
            },
          },
          { label: workStrings.history.templates, onSelect: () => openOverlay({ type: 'templates' }) },
        ],
      ]}
    />
  );
}

/** Title and origin of the batch, and what can be done with all of it. */
export function EditorHeader({ world }: { readonly world: World }) {
  const set = useTargetSet();
  return (
    <div className="batch-head">
      <div className="flex min-w-0 flex-col">
        {set === undefined ? <Title /> : <Target set={set} />}
        <Origin />
      </div>
      <span className="grow" />
      <Undo />
      <ApplyMenu world={world} />
      <BestOfPopover world={world} />
      <Templates />
      <Button icon="plus" onClick={() => addBelow(null)}>
        {words.addTask}
      </Button>
    </div>
  );
}
