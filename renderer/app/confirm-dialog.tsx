import { strings } from '../shared/strings.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { closeOverlay, useOverlay } from './ui-store.ts';

/** Asks before something that cannot be undone: `openOverlay({ type: 'confirm', … })`. */
export function ConfirmDialog() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay?.type !== 'confirm') return null;
  return (
    <Dialog name={overlay.title} onClose={closeOverlay} className="w-[420px]">
      <div className="flex flex-col gap-2 p-4">
        <h2 className="text-15 font-semi">{overlay.title}</h2>
        <p className="text-ink-2">{overlay.text}</p>
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={closeOverlay} autoFocus>
            {strings.dialog.cancel}
          </Button>
          <Button
            kind="primary"
            onClick={() => {
              closeOverlay();
              overlay.onConfirm();
            }}
          >
            {overlay.action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
