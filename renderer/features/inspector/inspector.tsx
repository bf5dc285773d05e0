import { isSteerable } from '../../../core/protocol/lifecycle.ts';
import { useId, type ComponentType } from 'react';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { useRun } from '../../app/live-rows.ts';
import { FIRST_TAB } from '../../app/ui-state.ts';
import { ui, useSelected, useUi } from '../../app/ui-store.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Announcer } from './announcer.tsx';
import { RunHeader } from './run-header.tsx';
import { SetPanel } from './set-panel.tsx';
import './inspector.css';

type OfRun = ComponentType<{ readonly runId: string }>;

interface InspectorTab {
  readonly id: string;
  readonly title: string;
  readonly component: OfRun;
  /** What stands after its title: a count. */
  readonly end?: OfRun;
  /** Whether this run has it. */
  readonly isFor?: (run: RunRow) => boolean;
}

interface InspectorProps {
  readonly tabs: readonly InspectorTab[];
  /** What stands below every tab: asks of the run, its steer box. */
  readonly foot: readonly OfRun[];
}

function RunPanel({ runId, tabs, foot }: InspectorProps & { readonly runId: string }) {
  const run = useRun(runId);
  const chosen = useUi((state) => state.tabs[runId] ?? FIRST_TAB);
  const panelId = useId();
  if (run === undefined) return <p className="inspector-gone">{runStrings.inspector.gone}</p>;
  const shown = tabs.filter(({ isFor }) => isFor?.(run) ?? true);
  const tab = shown.find(({ id }) => id === chosen) ?? shown[0];
  return (
    <>
      <RunHeader run={run} />
      <Tabs
        name={runStrings.inspector.tabs}
        items={shown.map(({ id, title, end: End }) => ({
          id,
          label: title,
          ...(End === undefined ? {} : { end: <End key={runId} runId={runId} /> }),
        }))}
        selected={tab?.id ?? ''}
        onSelect={(id) => {
          ui.showTab(runId, id);
        }}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-label={tab?.title} className="inspector-panel">
        {tab !== undefined && <tab.component key={runId} runId={runId} />}
      </div>
      {foot.map((Part, place) => (
        <Part key={`${runId} ${place}`} runId={runId} />
      ))}
      <Announcer
        text={visibleText(
          run.activity === null || !isSteerable(run.state) ? run.words : `${run.words}. ${run.activity}`,
        )}
      />
    </>
  );
}

/** The right pane: the selected run with its tabs, or the selected set. */
export function Inspector({ tabs, foot }: InspectorProps) {
  const node = useSelected();
  if (node === null) return null;
  return (
    <div className="inspector">
      {node.type === 'run' ? <RunPanel runId={node.id} tabs={tabs} foot={foot} /> : <SetPanel setId={node.id} />}
    </div>
  );
}
