import type { ConversationRow } from '../../core/protocol/rows.ts';
import { formatMoney } from '../shared/format.ts';
import { strings } from '../shared/strings.ts';
import { visibleText } from '../shared/visible-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TrunkMark } from '../ui/icon.tsx';
import { MoneyBar } from '../ui/money-bar.tsx';
import { useCommand } from './commands.ts';
import { Cost } from './cost.tsx';
import { useChord } from './key-bindings.ts';
import { useCover } from './cover.ts';
import { useApp, useConversation, useProject } from './live-rows.ts';
import { setPaused } from './pause.ts';
import { closeOverlay, requestFocus, ui, useUi } from './ui-store.ts';
import { ViewSwitch } from './view-switch.tsx';
import { toggleSidebar, useSidebar } from './window-size.ts';

function Place() {
  const conversation = useConversation(useUi((state) => state.conversation));
  const chosen = useUi((state) => state.project);
  const project = useProject(conversation?.project_id ?? chosen);
  return (
    <h1 className="flex min-w-0 items-center gap-[6px]">
      {project !== undefined && <span className="title-project flex-none text-ink-3">{visibleText(project.name)}</span>}
      {project !== undefined && conversation !== undefined && (
        <span className="title-project text-ink-3" aria-hidden>
          /
        </span>
      )}
      {conversation !== undefined && (
        <span className="el font-semi" dir="auto" title={visibleText(conversation.title)}>
          {visibleText(conversation.title)}
        </span>
      )}
      {project === undefined && conversation === undefined && (
        <span className="el font-semi">{strings.frame.newConversation}</span>
      )}
      {conversation?.scripted === true && (
        <span className="title-scripted ml-2 flex-none text-11 text-warn">{strings.frame.scripted}</span>
      )}
    </h1>
  );
}

function Spent({
  cost,
  limit,
  conversation,
}: {
  readonly cost: number;
  readonly limit: number | null;
  readonly conversation: string;
}) {
  return (
    <>
      <span className="font-med" title={strings.frame.costTitle}>
        <Cost of={conversation} text={formatMoney(cost)} word />
      </span>
      {limit !== null && (
        <>
          <MoneyBar spent={cost} limit={limit} width={112} />
          <span className="text-ink-2">{formatMoney(limit)}</span>
        </>
      )}
    </>
  );
}

/** What a conversation has cost, with its limit if it has one. */
function SpentIn({ conversation }: { readonly conversation: ConversationRow }) {
  const { cost_usd: cost, tree_limits, conversation_id } = conversation;
  return cost === null ? null : (
    <Spent cost={cost} limit={tree_limits?.max_cost_usd ?? null} conversation={conversation_id} />
  );
}

/** What the whole app has cost today. */
function Today({ cost }: { readonly cost: number }) {
  return (
    <span className="title-today text-ink-3" title={strings.frame.todayTitle}>
      {strings.frame.today(formatMoney(cost))}
    </span>
  );
}

/** What the conversation has cost, with its limit if it has one, and what the whole app has cost today. */
function Money() {
  const conversation = useConversation(useUi((state) => state.conversation));
  const today = useApp()?.cost_today_usd ?? null;
  const cost = conversation?.cost_usd ?? null;
  if (cost === null && today === null) return null;
  const only = cost === null ? 'title-today' : '';
  return (
    <>
      <span className={`title-spent flex flex-none items-center gap-2 text-11 ${only}`}>
        {conversation !== undefined && <SpentIn conversation={conversation} />}
        {today !== null && <Today cost={today} />}
      </span>
      <span className={`title-rule title-spent ${only}`} />
    </>
  );
}

function begin(): void {
  ui.beginIn(null);
  requestFocus('composer');
}

/** Brings what begins into view, whatever lies over the page. */
function beginAnew(): void {
  closeOverlay();
  begin();
}

/** The title bar: where we are, what is at work, what it costs. `under`: something lies over the page. */
export function TitleBar({ under }: { readonly under: boolean }) {
  const app = useApp();
  const paused = app?.paused ?? false;
  const cover = useCover((state) => state.by);
  useCommand({ id: 'new', title: strings.frame.newConversation, chord: 'mod+n', run: beginAnew });
  const sidebar = useSidebar();
  const conversation = useUi((state) => state.conversation);
  const known = useConversation(conversation) !== undefined;
  const sidebarKey = useChord('sidebar', 'mod+b') ?? undefined;
  const newKey = useChord('new', 'mod+n') ?? undefined;
  return (
    <header className="title-bar" inert={cover === 'first'}>
      <div className="title-left">
        <TrunkMark />
        <span className="title-name grow text-13 font-semi">{strings.app}</span>
        <IconButton
          icon="sidebar"
          name={strings.frame.toggleSidebar}
          chord={sidebarKey}
          aria-pressed={sidebar !== null}
          onClick={toggleSidebar}
        />
      </div>
      <div className="title-mid" inert={cover === 'batch'}>
        <Place />
        <div className="contents">
          {known && conversation !== null && (
            // What it would change is out of sight.
            <div className={under ? 'hidden' : 'contents'}>
              <ViewSwitch conversation={conversation} />
            </div>
          )}
          <span className="grow" />
          {app !== null && (
            <span className="title-optional flex flex-none gap-2 text-11">
              <span className="text-ink-3">{strings.frame.atWork}</span>
              <span className="text-ink-2">{strings.frame.atWorkCount(app.at_work, app.places)}</span>
            </span>
          )}
          <span className="title-rule title-optional" />
          <Money />
          <span className="flex flex-none gap-1">
            <Button
              icon={paused ? 'resume' : 'pause'}
              aria-pressed={paused}
              onClick={() => void setPaused(null, !paused)}
            >
              {paused ? strings.frame.resumeAll : strings.frame.pauseAll}
            </Button>
            <Button icon="plus" chord={newKey} onClick={beginAnew}>
              {strings.frame.new}
            </Button>
          </span>
        </div>
      </div>
    </header>
  );
}
