import { useEffect, useRef, type RefObject } from 'react';
import { ProjectsSection } from '../features/projects/projects-section.tsx';
import { Sidebar } from '../features/sidebar/sidebar.tsx';
import { inspectStrings } from '../shared/inspect-strings.ts';
import { strings } from '../shared/strings.ts';
import { useCommand } from './commands.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { useCover } from './cover.ts';
import { closeInspector, InspectorPane } from './inspector-pane.tsx';
import { useConversation, useConversationScope } from './live-rows.ts';
import { PaneBoundary } from './pane-boundary.tsx';
import { togglePanel } from './panel.ts';
import { slots } from './slots.tsx';
import { Strip } from './strip.tsx';
import { TitleBar } from './title-bar.tsx';
import { shownTab } from './ui-state.ts';
import { ui, useOverlay, useUi, useView } from './ui-store.ts';
import { closeDrawer, toggleSidebar, useInspectorPlace, useSidebar } from './window-size.ts';
import './frame.css';

/** What in a pane has the keyboard first: before its filters and fields. */
const ROW =
  '[data-pane-focus], [role="tree"] [tabindex="0"], [role="treegrid"] [data-item][tabindex="0"], [data-rows] [data-item][tabindex="0"]';

/** Moves the focus to the next pane (`F6`), or with `step: -1` to the one before. */
function cyclePanes(frame: HTMLElement | null, step: 1 | -1): void {
  const panes = [...(frame?.querySelectorAll<HTMLElement>('[data-pane]:not([inert])') ?? [])];
  const here = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes.at((here + step + panes.length) % panes.length);
  const inside = next?.querySelector<HTMLElement>(ROW) ?? next?.querySelector<HTMLElement>('textarea, input');
  (inside ?? next)?.focus();
}

/** The open conversation as its chosen view shows it. */
function ChosenView({ conversation }: { readonly conversation: string }) {
  const view = useView(conversation);
  const View = slots.views[view];
  return (
    <PaneBoundary key={view}>
      <View key={conversation} conversationId={conversation} />
    </PaneBoundary>
  );
}

/** The centre: a view of the open conversation with the composer at its foot, or the home screen. */
function Centre() {
  const conversation = useUi((state) => state.conversation);
  const known = useConversation(conversation);
  const { home: Home, composer: Composer } = slots;
  useConversationScope(conversation);
  if (conversation === null || known === undefined) {
    if (Home !== null) return <Home />;
    return (
      <div className="frame-empty">
        <p className="text-13 font-semi">{strings.tree.noConversation}</p>
        <p className="text-ink-3">{strings.tree.noConversationHint}</p>
      </div>
    );
  }
  return (
    <>
      <ChosenView conversation={conversation} />
      {Composer !== null && <Composer conversationId={conversation} />}
    </>
  );
}

function toggleInspector(): void {
  if (useUi.getState().inspectorOpen) closeInspector();
  else ui.showInspector(true);
}

function useFrameCommands(element: RefObject<HTMLDivElement | null>): void {
  useCommand({ id: 'sidebar', title: strings.frame.toggleSidebar, chord: 'mod+b', run: toggleSidebar });
  useCommand({ id: 'inspector', title: strings.frame.toggleInspector, chord: 'mod+alt+b', run: toggleInspector });
  useCommand({ id: 'panel', title: inspectStrings.terminal.toggle, chord: 'mod+j', run: togglePanel });
  useCommand({
    id: 'next-pane',
    title: strings.frame.nextPane,
    chord: 'f6',
    run: () => cyclePanes(element.current, 1),
  });
  useCommand({
    id: 'previous-pane',
    title: strings.frame.previousPane,
    chord: 'shift+f6',
    run: () => cyclePanes(element.current, -1),
  });
}

/** The bottom panel with the terminals, when it is open. */
function Bottom({ inert }: { readonly inert: boolean }) {
  const open = useUi((state) => state.panelOpen);
  const { panel: Panel } = slots;
  if (!open || Panel === null) return null;
  return (
    <section className="frame-panel" aria-label={inspectStrings.terminal.panel} data-pane tabIndex={-1} inert={inert}>
      <PaneBoundary>
        <Panel />
      </PaneBoundary>
    </section>
  );
}

/** Over a narrow page the sidebar goes when something in it was chosen. */
function leaveDrawer(target: EventTarget): void {
  if (target instanceof Element && target.closest('.side-press:not([aria-expanded])') !== null) closeDrawer();
}

/** The sidebar, beside the page or over it. */
function Side({ over, inert }: { readonly over: boolean; readonly inert: boolean }) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!over) return undefined;
    element.current?.focus();
    return useOverlay.subscribe(closeDrawer);
  }, [over]);
  return (
    <>
      {over && <div className="frame-shade" onPointerDown={closeDrawer} />}
      <nav
        ref={element}
        className="frame-side"
        aria-label={strings.frame.sidebar}
        data-pane
        data-over={over || undefined}
        tabIndex={-1}
        inert={inert}
        onClick={(event) => {
          if (over) leaveDrawer(event.target);
        }}
        onKeyDown={(event) => {
          if (!over || event.key !== 'Escape') return;
          event.stopPropagation();
          closeDrawer();
        }}
      >
        <PaneBoundary>
          <Sidebar projects={(still) => <ProjectsSection still={still} />} />
        </PaneBoundary>
      </nav>
    </>
  );
}

/** Title bar, sidebar, centre with its strip, bottom panel, inspector. */
export function Frame() {
  const element = useRef<HTMLDivElement>(null);
  const sidebar = useSidebar();
  const inspectorOpen = useUi((state) => state.inspectorOpen && state.node !== null);
  const cover = useCover((state) => state.by);
  const wide = useUi((state) => shownTab(state) === 'changes' && state.diffView === 'split');
  const { inspector: Inspector } = slots;
  const showInspector = inspectorOpen && Inspector !== null;
  const place = useInspectorPlace();
  // What lies under a drawer takes neither focus nor clicks, as under a cover.
  const under = cover !== null || (showInspector && place === 'drawer');
  useFrameCommands(element);
  return (
    <div
      ref={element}
      className="frame"
      data-sidebar={sidebar === 'beside'}
      data-inspector={showInspector}
      data-wide={wide}
    >
      <TitleBar under={under} />
      {sidebar !== null && <Side over={sidebar === 'over'} inert={cover === 'first'} />}
      <main className="frame-main" aria-label={strings.frame.canvas} data-pane tabIndex={-1} inert={under}>
        <PaneBoundary>
          <Centre />
        </PaneBoundary>
        {/* At the foot: what is being read does not move when the line breaks. */}
        <ConnectionBar />
        <Strip />
      </main>
      <Bottom inert={under} />
      {showInspector && (
        <InspectorPane place={place} inert={cover !== null}>
          <PaneBoundary>
            <Inspector tabs={slots.inspectorTabs} />
          </PaneBoundary>
        </InspectorPane>
      )}
    </div>
  );
}
