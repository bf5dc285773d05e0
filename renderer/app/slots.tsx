import type { ComponentType } from 'react';
import type { RunRow } from '../../core/protocol/rows.ts';
import { AskCard } from '../features/asks/ask-card.tsx';
import { AskPanel } from '../features/asks/ask-panel.tsx';
import { BatchEditor } from '../features/batch/batch-editor.tsx';
import { DropTarget } from '../features/batch/drop-target.tsx';
import { ChangesCount } from '../features/changes/changes-count.tsx';
import { mayHaveChanges } from '../features/changes/use-changes.ts';
import { ConversationComposer } from '../features/composer/composer.tsx';
import { NewConversation } from '../features/composer/new-conversation.tsx';
import { DemoButton, DemoCommand } from '../features/demo/demo.tsx';
import { HistoryCommands } from '../features/history/history-commands.tsx';
import { Inspector } from '../features/inspector/inspector.tsx';
import { Onboarding } from '../features/onboarding/onboarding.tsx';
import { PaletteCommands } from '../features/palette/palette-commands.tsx';
import { AttachCommand } from '../features/projects/projects-section.tsx';
import { Settings } from '../features/settings/settings.tsx';
import { SteerBox } from '../features/steer/steer-box.tsx';
import { inspectStrings } from '../shared/inspect-strings.ts';
import { runStrings } from '../shared/run-strings.ts';
import { lazyPart } from './lazy-part.tsx';
import { OverlayCommands } from './overlay-commands.tsx';
import { OverWaiting } from './pane-waiting.tsx';
import type { View } from './ui-state.ts';
import { closeOverlay, useOverlay, usePane, type Overlay } from './ui-store.ts';

/**
 * What fills the frame. Features never import each other; they meet here and nowhere else: import the feature's
 * component and put it in its slot. A slot that is null or empty is simply not drawn.
 *
 * What is not on the page from its first moment is a part of its own (`lazyPart`): the page starts with 350 kB at most.
 */
interface InspectorTab {
  readonly id: string;
  readonly title: string;
  readonly component: ComponentType<{ readonly runId: string }>;
  /** What stands after its title: a count. */
  readonly end?: ComponentType<{ readonly runId: string }>;
  /** Whether this run has it; every run unless it says so. */
  readonly isFor?: (run: RunRow) => boolean;
}

interface Slots {
  /** The centre: the ways to look at the open conversation. */
  readonly views: Readonly<Record<View, ComponentType<{ readonly conversationId: string }>>>;
  /** The right pane: the selected run (`useSelected`), 404 px wide, full height. */
  readonly inspector: ComponentType<{ readonly tabs: readonly InspectorTab[] }> | null;
  readonly inspectorTabs: readonly InspectorTab[];
  /** The bottom panel: terminals, under the centre. */
  readonly panel: ComponentType | null;
  /** The composer for the lead, at the foot of the tree. */
  readonly composer: ComponentType<{ readonly conversationId: string }> | null;
  /** The centre while no conversation is open: onboarding, or the composer of a new conversation. */
  readonly home: ComponentType | null;
  /** Drawn over the frame; each decides from `useOverlay` whether it shows. */
  readonly overlays: readonly ComponentType[];
}

const KeyEntry = lazyPart(async () => (await import('../features/settings/key-entry.tsx')).KeyEntry);

/** What stands below every tab of a run. */
const foot = [AskPanel, SteerBox];

const Transcript = lazyPart(async () => (await import('../features/transcript/transcript.tsx')).Transcript);
const Inbox = lazyPart(async () => (await import('../features/inbox/inbox.tsx')).Inbox, {
  waiting: <OverWaiting />,
  onClose: closeOverlay,
});

/** The tree with the filter and replay that the other views have. */
async function treeWithBars(): Promise<ComponentType<{ readonly conversationId: string }>> {
  const [{ Tree }, { WithBars }] = await Promise.all([
    import('../features/tree/tree.tsx'),
    import('../features/views/tree-bar.tsx'),
  ]);
  return function TreeWithBars({ conversationId }) {
    return (
      <WithBars conversationId={conversationId}>
        <Tree conversationId={conversationId} />
      </WithBars>
    );
  };
}

/** Something over the frame that is there only while the overlay of its type is. */
function over(type: Overlay['type'], load: () => Promise<ComponentType>): ComponentType {
  const Part = lazyPart(load, { waiting: <OverWaiting />, onClose: closeOverlay });
  return function Over() {
    const open = useOverlay((state) => state.overlay?.type === type);
    return open ? <Part /> : null;
  };
}

export const slots: Slots = {
  views: {
    tree: lazyPart(treeWithBars, { early: true }),
    list: lazyPart(async () => (await import('../features/views/list/list-view.tsx')).ListView),
    board: lazyPart(async () => (await import('../features/views/board/board-view.tsx')).BoardView),
    timeline: lazyPart(async () => (await import('../features/views/timeline/timeline-view.tsx')).TimelineView),
  },
  inspector: ({ tabs }) => <Inspector tabs={tabs} foot={foot} />,
  inspectorTabs: [
    { id: 'transcript', title: runStrings.transcript.name, component: Transcript },
    {
      id: 'result',
      title: runStrings.transcript.result,
      component: lazyPart(async () => (await import('../features/result/result.tsx')).Result),
    },
    {
      id: 'changes',
      title: runStrings.changes.name,
      component: lazyPart(async () => (await import('../features/changes/changes.tsx')).Changes),
      end: ChangesCount,
      isFor: mayHaveChanges,
    },
    {
      id: 'prompt',
      title: inspectStrings.prompt.name,
      component: lazyPart(async () => (await import('../features/prompt/prompt.tsx')).Prompt),
    },
    {
      id: 'process',
      title: inspectStrings.process.name,
      component: lazyPart(async () => (await import('../features/process/process.tsx')).Process),
    },
  ],
  panel: lazyPart(async () => (await import('../features/terminal/bottom-panel.tsx')).BottomPanel),
  composer: ConversationComposer,
  home: () => <NewConversation more={<DemoButton />} />,
  overlays: [
    () => (usePane('inbox') !== null ? <Inbox ask={AskCard} transcript={Transcript} foot={SteerBox} /> : null),
    () => <Onboarding demo={<DemoButton quiet />} keys={<KeyEntry />} />,
    BatchEditor,
    DropTarget,
    over('folder', async () => (await import('../features/folder-chooser/folder-chooser.tsx')).FolderChooser),
    over('palette', async () => (await import('../features/palette/palette.tsx')).Palette),
    PaletteCommands,
    OverlayCommands,
    over('search', async () => (await import('../features/search/search-dialog.tsx')).SearchDialog),
    HistoryCommands,
    over('templates', async () => (await import('../features/history/templates-dialog.tsx')).TemplatesDialog),
    over('save-template', async () => (await import('../features/history/save-dialog.tsx')).SaveTemplateDialog),
    over('review', async () => (await import('../features/history/review-dialog.tsx')).ReviewDialog),
    over('usage', async () => (await import('../features/usage/usage-dialog.tsx')).UsageDialog),
    over('shortcuts', async () => (await import('../features/palette/shortcuts.tsx')).Shortcuts),
    Settings,
    over('trust', async () => (await import('../features/projects/trust-dialog.tsx')).TrustDialog),
    over('retry', async () => (await import('../features/retry/retry-dialog.tsx')).RetryDialog),
    over('compare', async () => (await import('../features/views/compare/compare-dialog.tsx')).CompareDialog),
    DemoCommand,
    AttachCommand,
  ],
};
