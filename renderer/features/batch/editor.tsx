import { useEffect, useRef, type KeyboardEvent } from 'react';
import { cover } from '../../app/cover.ts';
import { useConversation, useProject } from '../../app/live-rows.ts';
import { onFocusRequest, useUi } from '../../app/ui-store.ts';
import { useSidebar } from '../../app/window-size.ts';
import { formatTime } from '../../shared/format.ts';
import { isChord } from '../../shared/keys.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { runBatch } from './batch-actions.ts';
import { closeEditor, keepDraftNow, undoEdit, useBatch } from './batch-store.ts';
import { blockerOf } from './blocker.ts';
import { EditorFooter } from './editor-footer.tsx';
import { EditorHeader } from './editor-header.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { showNextProblem } from './next-problem.ts';
import { ProjectChoice } from './project-choice.tsx';
import { requestRow } from './row-focus.ts';
import { setHasEnded } from './target-set.ts';
import { SidePanel } from './side-panel.tsx';
import { TaskTable } from './task-table.tsx';
import { useChecks } from './use-checks.ts';
import { useWorld } from './use-world.ts';
import './batch.css';

const words = startStrings.batch;

function Saved() {
  const saved = useBatch((state) => state.saved);
  if (saved === null) return null;
  return (
    <span className={`flex-none text-11 ${saved === 'too_large' ? 'text-warn' : 'text-ink-3'}`}>
      {saved === 'too_large' ? words.draftTooLarge : words.draftSaved(formatTime(saved))}
    </span>
  );
}

function Bar() {
  const project = useProject(useBatch((state) => state.project));
  const conversation = useConversation(useBatch((state) => state.conversation));
  return (
    <div className="batch-bar">
      {conversation === undefined && <ProjectChoice />}
      {conversation !== undefined && project !== undefined && (
        <span className="el max-w-[200px] flex-none text-ink-3">{visibleText(project.name)}</span>
      )}
      {(conversation === undefined || project !== undefined) && (
        <span className="-mx-[6px] text-ink-3" aria-hidden>
          /
        </span>
      )}
      <h1 className="el font-semi">
        {conversation === undefined ? strings.frame.newConversation : visibleText(conversation.title)}
      </h1>
      <span className="grow" />
      <Saved />
      <Button kind="text" chord="escape" className="text-ink-2" onClick={closeEditor}>
        {words.close}
      </Button>
    </div>
  );
}

const isTextField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(target.tagName);

/** An open list of choices has the focus on one of them; Escape closes only it. */
const inOpenSelect = (target: EventTarget): boolean => target instanceof HTMLOptionElement;

/** Keys of the editor as a whole; a menu or form over it takes its own first. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { nativeEvent } = event;
  if (event.defaultPrevented || nativeEvent.isComposing || inOpenSelect(event.target)) return;
  // What a portal holds is over the editor, not in it.
  const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
  const act = (action: () => void): void => {
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  if (isChord(nativeEvent, 'mod+enter')) {
    const { draft, problems, project } = useBatch.getState();
    const ended = setHasEnded();
    act(() => {
      if (!ended && blockerOf(draft, problems, project) === null) void runBatch();
      else showNextProblem();
    });
  } else if (isChord(nativeEvent, 'f8')) act(showNextProblem);
  else if (inside && isChord(nativeEvent, 'escape')) act(closeEditor);
  else if (inside && isChord(nativeEvent, 'mod+z') && !isTextField(event.target)) act(undoEdit);
}

/** Puts the focus into the editor, and back to where it was when it closes. */
function useFocus(element: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const [first] = useBatch.getState().draft.rows;
    element.current?.focus();
    if (first !== undefined && first.task['goal'] === '') requestRow(first.key, 'goal');
    const lift = cover('batch');
    return () => {
      lift();
      if (before instanceof HTMLElement && before.isConnected) requestAnimationFrame(() => before.focus());
    };
  }, [element]);
}

/** Leaves when the user goes elsewhere: another conversation, or the composer. */
function useLeave(): void {
  useEffect(() => onFocusRequest('composer', closeEditor), []);
  // A reload comes without warning: what was typed a moment ago is kept before it.
  useEffect(() => {
    window.addEventListener('pagehide', keepDraftNow);
    return () => {
      window.removeEventListener('pagehide', keepDraftNow);
    };
  }, []);
  useEffect(
    () =>
      useUi.subscribe((state, before) => {
        if (state.conversation !== before.conversation) closeEditor();
      }),
    [],
  );
}

/** The editor itself, over the centre and the inspector. */
export function Editor() {
  const element = useRef<HTMLElement>(null);
  const sidebar = useSidebar() === 'beside';
  const world = useWorld();
  useChecks();
  useLeave();
  useFocus(element);
  return (
    // While it is open, it is what the page is about: the frame's own main part is inert.
    <main
      ref={element}
      className="batch"
      data-sidebar={sidebar}
      aria-label={words.region}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Bar />
      <div className="batch-body">
        <div className="batch-main">
          <EditorHeader world={world} />
          <EditorNotices />
          <TaskTable world={world} />
        </div>
        <SidePanel world={world} />
      </div>
      <EditorFooter world={world} />
    </main>
  );
}
