import { app, BrowserWindow } from 'electron';
import { afterCrash, type CrashKind } from '../core/host/desktop/crash.ts';
import { askAfterCrashes } from './life.ts';

const ENDED_WELL = new Set(['clean-exit', 'killed']);
/** So many are remembered; more decide nothing. */
const REMEMBERED = 10;

/** A page that crashed is loaded again, which loses nothing: the core and all workers are other processes or this one. */
export function mendCrashes(restart: (safeMode: boolean) => void): void {
  const times: Record<CrashKind, number[]> = { page: [], gpu: [] };
  const crashed = async (kind: CrashKind, window: BrowserWindow | null): Promise<void> => {
    times[kind] = [...times[kind], Date.now()].slice(-REMEMBERED);
    const answer = afterCrash(kind, times[kind], Date.now());
    if (answer === 'nothing') return;
    const chosen =
      answer === 'ask'
        ? await askAfterCrashes(window, kind === 'page' ? 'The window' : 'The graphics process')
        : answer;
    if (chosen === 'safe_mode') restart(true);
    else if (chosen === 'reload' && kind === 'page') window?.webContents.reload();
    if (answer === 'ask') times[kind] = [];
  };
  app.on('render-process-gone', (_event, contents, { reason }) => {
    if (reason !== 'clean-exit') void crashed('page', BrowserWindow.fromWebContents(contents));
  });
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (type === 'GPU' && !ENDED_WELL.has(reason)) void crashed('gpu', null);
  });
}
