import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { api, attempt, core, describeFailure } from '../../app/client.ts';
import { closeOverlay, ui, useOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Crumbs } from './crumbs.tsx';
import { FolderList } from './folder-list.tsx';
import './folder-chooser.css';

const words = startStrings.folder;

/** A place that is looked at: a path, or the folder of a name wherever it is. */
interface Place {
  readonly path: string | null;
  readonly name: string | null;
}

function PathField({ path, onGo }: { readonly path: string; readonly onGo: (path: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = (): void => {
    if (typed !== null && typed.trim() !== '') onGo(typed.trim());
    setTyped(null);
  };
  return (
    <form
      className="flex grow gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        go();
      }}
    >
      <input
        className="field grow font-mono text-mono"
        aria-label={words.path}
        spellCheck={false}
        value={typed ?? path}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={typed === null || typed.trim() === path}>
        {words.go}
      </Button>
    </form>
  );
}

function Chooser({ name }: { readonly name: string | null }) {
  const [place, setPlace] = useState<Place>({ path: null, name });
  const [attaching, setAttaching] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { data, error, isFetching } = useQuery({
    ...api.folders.list.queryOptions({ input: place }),
    retry: false,
    staleTime: 0,
    // The folder before stays while the next is read, so that nothing jumps.
    placeholderData: (before) => before,
  });
  const go = (path: string): void => {
    setPlace({ path, name: null });
    list.current?.focus();
  };
  const attach = async (): Promise<void> => {
    if (data === undefined || attaching) return;
    setAttaching(true);
    const done = await attempt(startStrings.drop.attachFailed, async () => {
      ui.beginIn((await core.projects.add({ path: data.path })).project_id);
    });
    setAttaching(false);
    if (done) closeOverlay();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void attach();
  };
  return (
    <div className="flex max-h-[inherit] flex-col" onKeyDown={onKeyDown}>
      <div className="folder-head">
        <h2 className="text-15 font-semi break-words">{name === null ? words.title : words.titleFor(name)}</h2>
        {name !== null && <p className="text-ink-2 break-words">{words.hintFor(name)}</p>}
        <div className="flex items-center gap-2">
          <IconButton
            icon="up"
            name={words.up}
            disabled={data?.parent == null}
            onClick={() => data?.parent != null && go(data.parent)}
          />
          <PathField key={data?.path} path={data?.path ?? ''} onGo={go} />
        </div>
        {data !== undefined && <Crumbs path={data.path} home={data.home} onGo={go} />}
      </div>
      {error !== null && (
        <p role="alert" className="px-4 py-2 text-bad-text break-words">
          {words.failed}: {describeFailure(error).message}
        </p>
      )}
      <FolderList ref={list} listing={data ?? null} busy={isFetching} onOpen={go} />
      <div className="folder-foot">
        {data !== undefined && <code className="el min-w-0 grow text-ink-2">{data.path}</code>}
        <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
        <Button
          kind="primary"
          chord="mod+enter"
          disabled={data === undefined || attaching}
          onClick={() => void attach()}
        >
          {words.attach}
        </Button>
      </div>
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
