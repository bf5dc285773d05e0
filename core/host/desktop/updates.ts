import { assertNever } from '../../kit/assert-never.ts';
import type { WorkNow } from '../../protocol/desktop.ts';

/** How far the app is with a newer version of itself. */
export type UpdateState =
  /** Its package does not say where newer ones are. */
  | { readonly type: 'off' }
  | { readonly type: 'idle' }
  | { readonly type: 'checking' }
  | { readonly type: 'loading'; readonly version: string }
  /** It is here. `waits`: the person wants it as soon as nothing is at work. */
  | { readonly type: 'ready'; readonly version: string; readonly waits: boolean };

/** The entry of the menu; null for none. */
export function updateEntry(
  state: UpdateState,
): { readonly label: string; readonly does: 'check' | 'restart' | null } | null {
  switch (state.type) {
    case 'off':
      return null;
    case 'idle':
      return { label: 'Check for Updates…', does: 'check' };
    case 'checking':
      return { label: 'Looking for Updates…', does: null };
    case 'loading':
      return { label: `Fetching Espalier ${state.version}…`, does: null };
    case 'ready':
      return {
        label: state.waits ? `Espalier ${state.version} Waits for the Work…` : `Restart to Update to ${state.version}…`,
        does: 'restart',
      };
    default:
      return assertNever(state);
  }
}

export type UpdateChoice = 'wait' | 'stop_all' | 'later';

export interface UpdateQuestion {
  readonly message: string;
  readonly detail: string;
  /** In their order; the first is the default one. */
  readonly buttons: readonly { readonly choice: UpdateChoice; readonly label: string }[];
}

const MOST_NAMES = 5;

/**
 * What is asked before the app is replaced by a newer version: its files change under the workers, so what is at work would stop. Null when nothing is: what
 * is in the queue or asks a question is there again after the restart.
 */
export function updateQuestion(version: string, { atWork, queued, names }: WorkNow): UpdateQuestion | null {
  if (atWork === 0) return null;
  const runs = atWork === 1 ? '1 run' : `${atWork} runs`;
  const told = names.slice(0, MOST_NAMES);
  const more = atWork - told.length;
  const stops =
    told.length === 0
      ? `Updating now stops ${runs}.`
      : `Updating now stops: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return {
    message: `Espalier ${version} is ready, and ${runs} ${atWork === 1 ? 'is' : 'are'} at work.`,
    detail: [stops, ...(queued > 0 ? [`What is in the queue (${queued}) starts after it.`] : [])].join('\n'),
    buttons: [
      { choice: 'wait', label: `Update When ${atWork === 1 ? 'It Has' : 'They Have'} Ended` },
      { choice: 'stop_all', label: `Stop ${atWork === 1 ? 'It' : 'Them'} and Update` },
      { choice: 'later', label: 'Later' },
    ],
  };
}

/** Whether the app is replaced now, without a question: when it quits with nothing at work, or as soon as nothing is if the person waits for that. */
export function mayInstall(state: UpdateState, moment: 'quits' | 'work_changed', atWork: number): boolean {
  if (state.type !== 'ready' || atWork > 0) return false;
  return moment === 'quits' || state.waits;
}

/** What a look for a newer version led to. */
export type UpdateFinding =
  | { readonly type: 'newest' }
  | { readonly type: 'ready'; readonly version: string; readonly atWork: number }
  | { readonly type: 'failed'; readonly why: string };

/** What the person is told of it; null for nothing. Who did not ask hears only that a newer version is here. */
export function updateNotice(
  finding: UpdateFinding,
  asked: boolean,
): { readonly title: string; readonly body: string } | null {
  switch (finding.type) {
    case 'ready': {
      const { version, atWork } = finding;
      const when = atWork === 0 ? 'It is put in place when you quit.' : 'It waits for the runs at work.';
      return { title: `Espalier ${version} is ready`, body: `${when} To restart now: Help menu.` };
    }
    case 'newest':
      return asked ? { title: 'Espalier is up to date', body: 'There is no newer version.' } : null;
    case 'failed':
      return asked ? { title: 'No look for updates', body: finding.why } : null;
    default:
      return assertNever(finding);
  }
}
