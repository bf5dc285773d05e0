import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { Toasts } from '../ui/toast.tsx';
import { queryClient } from './client.ts';
import { listenToKeys } from './commands.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { loadKeys } from './key-bindings.ts';
import { Frame } from './frame.tsx';
import { PaneBoundary } from './pane-boundary.tsx';
import { slots } from './slots.tsx';
import { closeOverlay } from './ui-store.ts';

/** The whole page: providers, frame, and what lies over it. */
export function App() {
  useEffect(listenToKeys, []);
  useEffect(() => {
    // Without them the defaults hold; the settings say what is wrong.
    loadKeys().catch(() => undefined);
  }, []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Frame />
        {slots.overlays.map((Overlay, place) => (
          <PaneBoundary key={place} onClose={closeOverlay}>
            <Overlay />
          </PaneBoundary>
        ))}
        <ConfirmDialog />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>
  );
}
