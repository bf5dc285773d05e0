import type { ComponentType } from 'react';
import type { RunRow } from '../../core/protocol/rows.ts';
import { AskCard } from '../features/asks/ask-card.tsx';
import { AskPanel } from '../features/asks/ask-panel.tsx';
import { BatchEditor } from '../features/batch/batch-editor.tsx';
import { DropTarget } from '../features/batch/drop-target.tsx';
import { Changes, ChangesCount } from '../features/changes/changes.tsx';
import { mayHaveChanges } from '../features/changes/use-changes.ts';
import { ConversationComposer } from '../features/composer/composer.tsx';
import { NewConversation } from '../features/composer/new-conversation.tsx';
import { DemoButton, DemoCommand } from '../features/demo/demo.tsx';
import { FolderChooser } from '../features/folder-chooser/folder-chooser.tsx';
import { HistoryCommands } from '../features/history/history-commands.tsx';
import { ReviewDialog } from '../features/history/review-dialog.tsx';
import { SaveTemplateDialog } from '../features/history/save-dialog.tsx';
import { TemplatesDialog } from '../features/history/templates-dialog.tsx';
import { Inbox } from '../features/inbox/inbox.tsx';
import { Inspector } from '../features/inspector/inspector.tsx';
import { Onboarding } from '../features/onboarding/onboarding.tsx';
import { PaletteCommands } from '../features/palette/palette-commands.tsx';
import { Palette } from '../features/palette/palette.tsx';
import { Shortcuts } from '../features/palette/shortcuts.tsx';
import { Process } from '../features/process/process.tsx';
import { Prompt } from '../features/prompt/prompt.tsx';
import { Result } from '../features/result/result.tsx';
import { RetryDialog } from '../features/retry/retry-dialog.tsx';
import { SearchDialog } from '../features/search/search-dialog.tsx';
import { Settings } from '../features/settings/settings.tsx';
import { SteerBox } from '../features/steer/steer-box.tsx';
import { BottomPanel } from '../features/terminal/bottom-panel.tsx';
import { Transcript } from '../features/transcript/transcript.tsx';
import { Tree } from '../features/tree/tree.tsx';
import { UsageDialog } from '../features/usage/usage-dialog.tsx';
import { BoardView } from '../features/views/board/board-view.tsx';
import { CompareDialog } from '../features/views/compare/compare-dialog.tsx';
import { ListView } from '../features/views/list/list-view.tsx';
import { TimelineView } from '../features/views/timeline/timeline-view.tsx';
import { inspectStrings } from '../shared/inspect-strings.ts';
import { runStrings } from '../shared/run-strings.ts';
import type { View } from './ui-state.ts';

/**
 * What fills the frame. Features never import each other; they meet here and nowhere else: import the feature's
 * component and put it in its slot. A slot that is null or empty is simply not drawn.
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

/** What stands below every tab of a run. */
const foot = [AskPanel, SteerBox];

export const slots: Slots = {
  views: { tree: Tree, list: ListView, board: BoardView, timeline: TimelineView },
  inspector: ({ tabs }) => <Inspector tabs={tabs} foot={foot} />,
  inspectorTabs: [
    { id: 'transcript', title: runStrings.transcript.name, component: Transcript },
    { id: 'result', title: runStrings.transcript.result, component: Result },
    { id: 'changes', title: runStrings.changes.name, component: Changes, end: ChangesCount, isFor: mayHaveChanges },
    { id: 'prompt', title: inspectStrings.prompt.name, component: Prompt },
    { id: 'process', title: inspectStrings.process.name, component: Process },
  ],
  panel: BottomPanel,
  composer: ConversationComposer,
  home: () => <NewConversation more={<DemoButton />} />,
  overlays: [
    () => <Inbox ask={AskCard} transcript={Transcript} foot={SteerBox} />,
    () => <Onboarding demo={<DemoButton />} />,
    BatchEditor,
    DropTarget,
    FolderChooser,
    Palette,
    PaletteCommands,
    SearchDialog,
    HistoryCommands,
    TemplatesDialog,
    SaveTemplateDialog,
    ReviewDialog,
    UsageDialog,
    Shortcuts,
    Settings,
    RetryDialog,
    CompareDialog,
    DemoCommand,
  ],
};
