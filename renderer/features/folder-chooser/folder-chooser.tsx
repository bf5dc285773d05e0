import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, attempt, core, describeFailure } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { closeOverlay, closeOverlayOf, ui, useOverlay } from '../../app/ui-store.ts';
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

function useAttach(path: string | undefined) {
  const [attaching, setAttaching] = useState(false);
  const attach = async (): Promise<void> => {
    if (path === undefined || attaching) return;
    setAttaching(true);
    const done = await attempt(startStrings.drop.attachFailed, async () => {
      ui.beginIn((await core.projects.add({ path })).project_id);
    });
    setAttaching(false);
    if (done) closeOverlayOf('folder');
  };
  return { attaching, attach };
}

function Foot({ path }: { readonly path: string | undefined }) {
  const { attaching, attach } = useAttach(path);
  useCommand({ id: 'attach-this', title: words.attach, chord: 'mod+enter', run: () => void attach() });
  return (
    <div className="folder-foot">
      <code className="el min-w-0 grow text-ink-2">{path}</code>
      <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
      <Button kind="primary" chord="mod+enter" disabled={path === undefined || attaching} onClick={() => void attach()}>
        {words.attach}
      </Button>
    </div>
  );
}

function Chooser({ name }: { readonly name: string | null }) {
  const [place, setPlace] = useState<Place>({ path: null, name });
  const list = useRef<HTMLDivElement>(null);
  const { data, error, isFetching } = useQuery({
    ...api.folders.list.queryOptions({ input: place }),
    retry: false,
    staleTime: 0,
    // The folder before stays while the next is read, so that nothing jumps.
    placeholderData: (before) => before,
  });
  const parent = data?.parent ?? null;
  const go = (path: string): void => {
    setPlace({ path, name: null });
    list.current?.focus();
  };
  return (
    <div className="flex max-h-[inherit] flex-col">
      <div className="folder-head">
        <h2 className="text-15 font-semi wrap-anywhere">{name === null ? words.title : words.titleFor(name)}</h2>
        {name !== null && <p className="text-ink-2 wrap-anywhere">{words.hintFor(name)}</p>}
        <div className="flex items-center gap-2">
          <IconButton
            icon="up"
            name={words.up}
            disabled={parent === null}
            onClick={() => {
              if (parent !== null) go(parent);
            }}
          />
          <PathField key={data?.path} path={data?.path ?? ''} onGo={go} />
        </div>
        {data !== undefined && <Crumbs path={data.path} home={data.home} onGo={go} />}
      </div>
      {error !== null && (
        <p role="alert" className="px-4 py-2 text-bad-text wrap-anywhere">
          {words.failed}: {describeFailure(error).message}
        </p>
      )}
      <FolderList ref={list} listing={data ?? null} busy={isFetching} onOpen={go} />
      <Foot path={data?.path} />
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
