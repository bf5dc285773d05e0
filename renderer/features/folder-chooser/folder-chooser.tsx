import { useRef, type Ref } from 'react';
import { describeFailure, expectedFailure } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Crumbs } from './crumbs.tsx';
import { FolderList } from './folder-list.tsx';
import { keyToPath, pasteToPath } from './path-keys.ts';
import { nameOfPath } from './path-steps.ts';
import { useChooser } from './use-chooser.ts';
import './folder-chooser.css';

const words = startStrings.folder;

interface PathFieldProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly value: string;
  readonly pending: boolean;
  readonly wrong: boolean;
  readonly onType: (text: string) => void;
  readonly onGo: () => void;
}

function PathField({ ref, value, pending, wrong, onType, onGo }: PathFieldProps) {
  return (
    <form
      className="flex grow gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onGo();
      }}
    >
      <input
        ref={ref}
        className="field grow font-mono text-mono"
        aria-label={words.path}
        aria-invalid={wrong}
        spellCheck={false}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
      <Button type="submit" disabled={!pending}>
        {words.go}
      </Button>
    </form>
  );
}

/** That what was typed is no folder, below the box, with the way to the nearest one that is. */
function Trouble({ error, onGo }: { readonly error: unknown; readonly onGo: (path: string) => void }) {
  const { message } = describeFailure(error);
  const nearest = expectedFailure(error)?.paths?.[0];
  return (
    <div role="alert" className="flex items-center gap-2 text-bad-text">
      <p className="min-w-0 grow wrap-anywhere">
        {words.failed}: {message}
      </p>
      {nearest !== undefined && (
        <Button className="flex-none" onClick={() => onGo(nearest)}>
          {words.nearest}
        </Button>
      )}
    </div>
  );
}

/** What is attached, by name, and the ways to do it or not. */
function Foot({ chooser: { data, typed, busy, attach } }: { readonly chooser: ReturnType<typeof useChooser> }) {
  useCommand({ id: 'attach-this', title: words.attach, chord: 'mod+enter', run: () => void attach() });
  const target = typed === null || typed.trim() === '' ? data?.path : typed;
  return (
    <div className="folder-foot">
      <code className="el min-w-0 grow text-ink-2">{target}</code>
      <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
      {target !== undefined && (
        <Button kind="primary" chord="mod+enter" disabled={busy} onClick={() => void attach()}>
          {words.attachNamed(nameOfPath(target))}
        </Button>
      )}
    </div>
  );
}

function Chooser({ name }: { readonly name: string | null }) {
  const list = useRef<HTMLDivElement>(null);
  const path = useRef<HTMLInputElement>(null);
  const chooser = useChooser(name);
  const { data, error, typed, go } = chooser;
  const open = (to: string): void => {
    go(to);
    list.current?.focus();
  };
  const parent = data?.parent ?? null;
  return (
    <div
      className="flex max-h-[inherit] flex-col"
      onKeyDownCapture={(event) => keyToPath(event, path.current)}
      onPaste={(event) => pasteToPath(event, path.current, chooser.type)}
    >
      <div className="folder-head">
        <h2 className="text-15 font-semi wrap-anywhere">{name === null ? words.title : words.titleFor(name)}</h2>
        {name !== null && <p className="text-ink-2 wrap-anywhere">{words.hintFor(name)}</p>}
        <div className="flex items-center gap-2">
          <IconButton
            icon="up"
            name={words.up}
            disabled={parent === null}
            onClick={() => {
              if (parent !== null) open(parent);
            }}
          />
          <PathField
            ref={path}
            value={typed ?? data?.path ?? ''}
            pending={typed !== null}
            wrong={error !== null}
            onType={chooser.type}
            onGo={() => {
              if (typed !== null) void chooser.look(typed).then((found) => found && list.current?.focus());
            }}
          />
        </div>
        {error !== null && <Trouble error={error} onGo={open} />}
        {data !== undefined && <Crumbs path={data.path} home={data.home} onGo={open} />}
      </div>
      <FolderList ref={list} listing={data ?? null} busy={chooser.busy} onOpen={open} />
      <Foot chooser={chooser} />
    </div>
  );
}

/** The core's own folder chooser, for a page that is told no paths. */
export function FolderChooser() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay?.type !== 'folder') return null;
  const name = overlay.name;
  return (
    <Dialog name={name === null ? words.title : words.titleFor(name)} onClose={closeOverlay} className="w-[640px]" top>
      <Chooser name={name} />
    </Dialog>
  );
}
