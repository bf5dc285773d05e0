import { useEffect, useRef, useState } from 'react';
import type { FolderListing } from '../../../core/protocol/api/projects.ts';
import { attempt, core } from '../../app/client.ts';
import { closeOverlayOf, ui } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { typedPath } from './path-steps.ts';

interface State {
  /** The folder shown; it stays when another cannot be. */
  readonly data: FolderListing | undefined;
  /** Why what was asked for last is not shown. */
  readonly error: unknown;
  /** What stands in the path and was not gone to yet; null while it is the folder shown. */
  readonly typed: string | null;
  readonly busy: boolean;
}

interface Chooser extends State {
  readonly type: (text: string) => void;
  readonly go: (path: string) => void;
  /** Goes to a path; the folder there, or null where there is none, which is then said. */
  readonly look: (path: string) => Promise<FolderListing | null>;
  /** Attaches what is typed, once it is known to be a folder, else the folder shown. */
  readonly attach: () => Promise<void>;
}

/** The folder that is looked at, and what is typed to look at another. It starts where a folder of `name` lies, or at home. */
export function useChooser(name: string | null): Chooser {
  const [state, setState] = useState<State>({ data: undefined, error: null, typed: null, busy: true });
  const asked = useRef(0);
  const read = async (path: string | null): Promise<FolderListing | null> => {
    const mine = (asked.current += 1);
    setState((before) => ({ ...before, busy: true }));
    try {
      const input = path === null ? { path, name } : { path: typedPath(path, state.data?.path), name: null };
      const data = await core.folders.list(input);
      if (mine !== asked.current) return null;
      // What was typed meanwhile is not taken away.
      setState(({ typed }) => ({ data, error: null, typed: typed === path ? null : typed, busy: false }));
      return data;
    } catch (error) {
      if (mine === asked.current) setState((before) => ({ ...before, error, busy: false }));
      return null;
    }
  };
  const first = useRef(read);
  useEffect(() => void first.current(null), []);
  const attach = async (): Promise<void> => {
    const { data, typed, busy } = state;
    if (busy) return;
    const folder = typed === null || typed.trim() === '' ? (data ?? null) : await read(typed);
    if (folder === null) return;
    setState((before) => ({ ...before, busy: true }));
    const done = await attempt(startStrings.drop.attachFailed, async () => {
      ui.beginIn((await core.projects.add({ path: folder.path })).project_id);
    });
    setState((before) => ({ ...before, busy: false }));
    if (done) closeOverlayOf('folder');
  };
  return {
    ...state,
    type: (text) => setState((before) => ({ ...before, typed: text === before.data?.path ? null : text, error: null })),
    go: (path) => {
      setState((before) => ({ ...before, typed: null, error: null }));
      void read(path);
    },
    look: read,
    attach,
  };
}
