import { useEffect, useMemo, useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import type { AskRow } from '../../../core/protocol/rows.ts';
import { cover } from '../../app/cover.ts';
import { useConversationScope, useOpenAsks, useProjects } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { closeOverlay, usePane } from '../../app/ui-store.ts';
import { useWaysOut } from '../../app/ways-out.ts';
import { useSidebar } from '../../app/window-size.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { useNow } from '../../shared/ticks.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Answered } from './answered.tsx';
import { Chain } from './chain.tsx';
import { answeredToday, askingProjects, focusedAsk, ofProject, steppedAsk } from './inbox-words.ts';
import './inbox.css';

const words = runStrings.asks;

/** Parts of other features that the inbox shows. */
interface InboxParts {
  /** One ask with its answer; `current` is the one that the keys answer. */
  readonly ask: ComponentType<{ readonly ask: AskRow; readonly current: boolean; readonly onCurrent: () => void }>;
  /** Transcript of the run that asks. */
  readonly transcript: ComponentType<{ readonly runId: string }>;
  readonly foot: ComponentType<{ readonly runId: string }>;
}

function Bar({
  asks,
  project,
  onProject,
}: {
  readonly asks: readonly AskRow[];
  readonly project: string | null;
  readonly onProject: (project: string | null) => void;
}) {
  const projects = askingProjects(asks, useProjects());
  const choices = [{ project_id: null, name: words.allProjects }, ...projects].map(({ project_id, name }) => ({
    label: name,
    checked: project_id === project,
    onSelect: () => {
      onProject(project_id);
    },
  }));
  const chosen = projects.find(({ project_id }) => project_id === project);
  return (
    <div className="inbox-bar">
      <h1 className="grow font-semi">{words.inbox}</h1>
      <span className="text-11 text-ink-3">{words.oldest}</span>
      <Menu
        trigger={
          <Button kind="text">
            {chosen?.name ?? words.allProjects}
            <Icon name="down" />
          </Button>
        }
        groups={[choices]}
      />
      <IconButton icon="close" name={words.close} onClick={closeOverlay} />
    </div>
  );
}

function Side({ ask, parts }: { readonly ask: AskRow; readonly parts: InboxParts }) {
  useConversationScope(ask.conversation_id);
  const { transcript: Transcript, foot: Foot } = parts;
  return (
    <aside className="inbox-side" aria-label={words.from}>
      <header className="border-b border-line px-4 py-2.5">
        <h2 className="text-13 font-semi">{words.from}</h2>
        <Chain ask={ask} onOpen={closeOverlay} />
      </header>
      <div className="inbox-transcript">{runStrings.transcript.name}</div>
      <Transcript runId={ask.run_id} />
      <Foot key={ask.run_id} runId={ask.run_id} />
    </aside>
  );
}

/** Moves the keys between asks with the arrows; everything else belongs to what has the focus. */
function onKeys(event: KeyboardEvent, step: (by: 1 | -1) => void): void {
  if (event.target instanceof HTMLElement && /^(?:TEXTAREA|INPUT)$/.test(event.target.tagName)) return;
  if (event.key === 'ArrowDown' || event.key === 'j') step(1);
  else if (event.key === 'ArrowUp' || event.key === 'k') step(-1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** While the inbox is open, what is under it is out of reach; afterwards the focus is where it was. */
function useOver(): void {
  // Before its first ask has taken it.
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    const lift = cover('inbox');
    return () => {
      lift();
      // What was under it takes the focus again only when it is drawn without the cover; what has asked for it meanwhile keeps it.
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      });
    };
  }, [before]);
}

/** Which ask is looked at, among those of the chosen project. */
function useCurrent(asks: readonly AskRow[], first: string | null) {
  const [wanted, setWanted] = useState(first);
  const [place, setPlace] = useState(0);
  const current = focusedAsk(asks, wanted, place);
  const choose = (id: string | null): void => {
    setWanted(id);
    setPlace(
      Math.max(
        0,
        asks.findIndex((ask) => ask.ask_id === id),
      ),
    );
  };
  return { current, choose };
}

function Empty() {
  return (
    <div className="inbox-empty">
      <p className="text-13 font-semi">{words.empty}</p>
      <p className="text-ink-3">{words.emptyHint}</p>
    </div>
  );
}

function Settled() {
  const all = useLive((state) => state.asks);
  const now = useNow(false);
  return <Answered asks={useMemo(() => answeredToday(all.values(), now), [all, now])} />;
}

function OpenInbox({ first, parts }: { readonly first: string | null; readonly parts: InboxParts }) {
  const open = useOpenAsks();
  const [project, setProject] = useState<string | null>(null);
  const asks = ofProject(open, project);
  const { current, choose } = useCurrent(asks, first);
  const element = useRef<HTMLElement>(null);
  const sidebar = useSidebar() === 'beside';
  useOver();
  useWaysOut('inbox');
  useEffect(() => {
    if (current === undefined) element.current?.focus();
  }, [current]);
  const { ask: Ask } = parts;
  return (
    // While it is open the page has no other main part: that one is covered.
    <main
      ref={element}
      className="inbox"
      data-sidebar={sidebar}
      aria-label={words.inbox}
      tabIndex={-1}
      onKeyDown={(event) => {
        onKeys(event, (by) => {
          choose(steppedAsk(asks, current?.ask_id, by));
        });
      }}
    >
      <Bar asks={open} project={project} onProject={setProject} />
      <div className="inbox-list">
        {asks.length === 0 && <Empty />}
        {asks.map((ask) => (
          <Ask
            key={ask.ask_id}
            ask={ask}
            current={ask.ask_id === current?.ask_id}
            onCurrent={() => {
              choose(ask.ask_id);
            }}
          />
        ))}
        <Settled />
      </div>
      {current !== undefined && <Side ask={current} parts={parts} />}
    </main>
  );
}

/** Every open permission and question of the app, oldest first (A2); over the tree, beside the sidebar. */
export function Inbox(parts: InboxParts) {
  const inbox = usePane('inbox');
  return inbox === null ? null : <OpenInbox key={inbox.ask_id ?? ''} first={inbox.ask_id} parts={parts} />;
}
