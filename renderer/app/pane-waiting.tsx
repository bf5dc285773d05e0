import { strings } from '../shared/strings.ts';

/** Holds the place of a pane whose code is on its way; to be seen only when that takes long. */
export function PaneWaiting() {
  return (
    <div className="pane-waiting" role="status" aria-label={strings.frame.loading}>
      <span />
      <span />
      <span />
    </div>
  );
}

/** The same for what comes over the page. */
export function OverWaiting() {
  return (
    <div className="pane-waiting-over">
      <PaneWaiting />
    </div>
  );
}
