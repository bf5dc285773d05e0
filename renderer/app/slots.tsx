import type { ComponentType } from 'react';

/**
 * What fills the frame. Features never import each other; they meet here and nowhere else: import the feature's
 * component and put it in its slot. A slot that is null or empty is simply not drawn.
 */
interface InspectorTab {
  readonly id: string;
  readonly title: string;
  readonly component: ComponentType<{ readonly runId: string }>;
}

interface Slots {
  /** The right pane: the selected run (`useSelected`), 404 px wide, full height. */
  readonly inspector: ComponentType<{ readonly tabs: readonly InspectorTab[] }> | null;
  readonly inspectorTabs: readonly InspectorTab[];
  /** The composer for the lead, at the foot of the tree. */
  readonly composer: ComponentType<{ readonly conversationId: string }> | null;
  /** The centre while no conversation is open: onboarding, or the composer of a new conversation. */
  readonly home: ComponentType | null;
  /** Drawn over the frame; each decides from `useOverlay` whether it shows. */
  readonly overlays: readonly ComponentType[];
}

export const slots: Slots = {
  inspector: null,
  inspectorTabs: [],
  composer: null,
  home: null,
  overlays: [],
};
