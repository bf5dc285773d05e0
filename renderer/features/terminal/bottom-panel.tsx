import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import type { ProjectRow } from '../../../core/protocol/rows.ts';
import type { TerminalRow } from '../../../core/protocol/terminal.ts';
import { useApp, useConversation, useProject, useProjects, useRun } from '../../app/live-rows.ts';
import { takePanelRequest, usePanelRequest, type TerminalPlace } from '../../app/panel.ts';
import { ui, useSelected, useUi } from '../../app/ui-store.ts';
import { usePanelHeight } from '../../app/window-size.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ResizeHandle } from './resize-handle.tsx';
import { closeTerminal, loadTerminals, openTerminal, selectTerminal, useTerminals } from './terminals-store.ts';
import './terminal-panel.css';

const TerminalView = lazy(() => import('./terminal-view.tsx'));
const words = inspectStrings.terminal;

/** The project that a terminal is for when nobody says another: of the open conversation, the chosen one, the last used. */
function useHere(): ProjectRow | undefined {
  const conversation = useConversation(useUi((state) => state.conversation));
  const chosen = useUi((state) => state.project);
  const [recent] = useProjects();
  return useProject(conversation?.project_id ?? chosen ?? null) ?? recent;
}

/** Where a terminal can be opened now. */
function usePlaces(): readonly (MenuItem & { readonly place: TerminalPlace })[] {
  const project = useHere();
  const node = useSelected();
  const run = useRun(node?.type === 'run' ? node.id : null);
  const item = (label: string, place: TerminalPlace) => ({ label, place, onSelect: () => void openTerminal(place) });
  return [
    ...(project === undefined
      ? []
      : [item(words.inProject(visibleText(project.name)), { project_id: project.project_id, run_id: null })]),
    ...(run?.worktree === null || run === undefined
      ? []
      : [
          item(words.inRun(visibleText(run.label ?? run.goal.slice(0, 60))), {
            project_id: run.project_id,
            run_id: run.run_id,
          }),
        ]),
  ];
}

const nameOf = ({ cwd }: TerminalRow): string =>
  visibleText(
    cwd
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? cwd,
  );

function NewTerminal() {
  const places = usePlaces();
  const [first] = places;
  if (places.length < 2) {
    return (
      <IconButton
        icon="plus"
        name={words.open}
        disabled={first === undefined}
        onClick={() => {
          if (first !== undefined) void openTerminal(first.place);
        }}
      />
    );
  }
  return <Menu trigger={<IconButton icon="plus" name={words.open} />} groups={[places]} />;
}

function Bar({
  rows,
  selected,
  panelId,
}: {
  readonly rows: readonly TerminalRow[];
  readonly selected: string | null;
  readonly panelId: string;
}) {
  return (
    <div className="panel-bar">
      {rows.length === 0 || selected === null ? (
        <span className="grow pl-4 font-med">{words.name}</span>
      ) : (
        <div className="min-w-0 grow">
          <Tabs
            name={words.tabs}
            items={rows.map((row) => ({
              id: row.terminal_id,
              label: nameOf(row),
              ...(row.alive
                ? {}
                : { end: <span className="ml-1 font-reg text-ink-3">{words.ended(row.exit_code)}</span> }),
            }))}
            selected={selected}
            onSelect={selectTerminal}
            panelId={panelId}
          />
        </div>
      )}
      <NewTerminal />
      {selected !== null && <IconButton icon="stop" name={words.close} onClick={() => void closeTerminal(selected)} />}
      <IconButton
        icon="close"
        name={words.hide}
        chord="mod+j"
        onClick={() => {
          ui.showPanel(false);
        }}
      />
    </div>
  );
}

function Nothing() {
  const { refused, opening, rows } = useTerminals();
  const [first] = usePlaces();
  if (opening || rows === null) return <p className="panel-none">{words.loading}</p>;
  return (
    <div className="panel-none">
      {refused === null ? (
        <p>{first === undefined ? words.noProject : words.none}</p>
      ) : (
        <p role="alert" className="text-bad-text select-text">
          {words.notOpened}: {visibleText(refused)}
        </p>
      )}
      {first !== undefined && <Button onClick={() => void openTerminal(first.place)}>{words.open}</Button>}
    </div>
  );
}

/** Carries out what was asked for, and opens a first terminal when the panel is shown without one. */
function useOpening(): void {
  const boot = useApp()?.boot;
  const asked = usePanelRequest((state) => state.place);
  const count = useTerminals((state) => state.rows?.length);
  const [first] = usePlaces();
  const project = first?.place.project_id;
  const begun = useRef(false);
  useEffect(() => {
    if (boot !== undefined) void loadTerminals();
  }, [boot]);
  useEffect(() => {
    const place = takePanelRequest();
    if (place !== null) {
      begun.current = true;
      void openTerminal(place);
      return;
    }
    if (begun.current || count === undefined || project === undefined) return;
    // Shown, it is there for a shell; after the last one was closed by hand it is not.
    begun.current = true;
    if (count === 0) void openTerminal({ project_id: project, run_id: null });
  }, [asked, count, project]);
}

/** The bottom panel: shells in the project, or where a run works. They live in the core, and outlive the page. */
export function BottomPanel() {
  const { rows, selected, refused } = useTerminals();
  const height = usePanelHeight();
  const panelId = useId();
  useOpening();
  const shown = rows?.find(({ terminal_id }) => terminal_id === selected);
  return (
    <div className="panel" style={{ height }}>
      <ResizeHandle />
      <Bar rows={rows ?? []} selected={selected} panelId={panelId} />
      {shown === undefined ? (
        <Nothing />
      ) : (
        <div id={panelId} role="tabpanel" aria-label={nameOf(shown)} className="panel-screen">
          {refused !== null && (
            <p role="alert" className="panel-refused">
              {words.notOpened}: {visibleText(refused)}
            </p>
          )}
          <Suspense fallback={<p className="panel-none">{words.loading}</p>}>
            <TerminalView key={shown.terminal_id} row={shown} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
