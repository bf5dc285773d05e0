import { useMemo, useState, type ReactNode } from 'react';
import { attempt, core } from '../../app/client.ts';
import { ConversationItem, isQuiet } from '../../app/conversation-item.tsx';
import { useChord } from '../../app/key-bindings.ts';
import { useApp, useConversations, useOpenAsks } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { setPaused } from '../../app/pause.ts';
import { usePress, useStill } from '../../app/still.ts';
import { openOverlay, ui, useOverlay, useUi } from '../../app/ui-store.ts';
import { formatAge, formatCount } from '../../shared/format.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { useNow } from '../../shared/ticks.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { IconButton, KeyCap, Switch } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { SideItem, SideSection } from '../../ui/side-item.tsx';
import { Archived } from './archived.tsx';
import { matching, needsYou, type Need } from './needs-you.ts';
import { SearchBox } from './search-box.tsx';
import './sidebar.css';

/** Conversations under *Recent*. */
const RECENT = 6;

function Age({ since }: { readonly since: number }) {
  return <>{formatAge(since, useNow())}</>;
}

function openNeed(need: Need): void {
  if (need.run_id === null) ui.openConversation(need.conversation_id);
  else ui.reveal(need.conversation_id, need.run_id);
  if (need.ask_id !== null) openOverlay({ type: 'inbox', ask_id: need.ask_id });
}

function NeedsYou({ still }: { readonly still: boolean }) {
  const asks = useOpenAsks();
  const conversations = useLive((state) => state.conversations);
  const runs = useLive((state) => state.runs);
  const now = useMemo(() => needsYou(asks, conversations, runs), [asks, conversations, runs]);
  const needs = useStill(now, still);
  if (needs.length === 0) return null;
  const failures = needs.some((need) => need.ask_id === null);
  return (
    <SideSection
      title={strings.sidebar.needsYou}
      end={
        <>
          {failures && (
            <button
              type="button"
              className="link mr-2"
              onClick={() => void attempt(strings.sidebar.markSeen, () => core.conversations.seen({ id: null }))}
            >
              {strings.sidebar.markSeen}
            </button>
          )}
          <span>{formatCount(needs.length)}</span>
        </>
      }
    >
      {needs.map((need) => (
        <SideItem
          key={need.key}
          mark={<Glyph mark={need.mark} named />}
          text={need.text}
          sub={need.sub}
          end={<Age since={need.since} />}
          onClick={() => {
            openNeed(need);
          }}
        />
      ))}
    </SideSection>
  );
}

function Inbox() {
  const count = useOpenAsks().length;
  const open = useOverlay((state) => state.overlay?.type === 'inbox');
  return (
    <ul>
      <SideItem
        current={open}
        mark={<Icon name="inbox" />}
        text={strings.sidebar.inbox}
        end={count > 0 && <span className="font-semi text-need">{formatCount(count)}</span>}
        onClick={() => {
          openOverlay({ type: 'inbox', ask_id: null });
        }}
      />
    </ul>
  );
}

function Conversations({ still }: { readonly still: boolean }) {
  const rows = useStill(useConversations(), still).filter((row) => !row.archived);
  const working = rows.filter((row) => !isQuiet(row));
  const recent = rows.filter(isQuiet).slice(0, RECENT);
  return (
    <>
      {working.length > 0 && (
        <SideSection title={strings.sidebar.working} end={<span>{formatCount(working.length)}</span>}>
          {working.map((row) => (
            <ConversationItem key={row.conversation_id} row={row} />
          ))}
        </SideSection>
      )}
      {recent.length > 0 && (
        <SideSection title={strings.sidebar.recent}>
          {recent.map((row) => (
            <ConversationItem key={row.conversation_id} row={row} />
          ))}
        </SideSection>
      )}
    </>
  );
}

/** Conversations by their title at once, and the way to everything that holds the words. */
function Found({ query }: { readonly query: string }) {
  const rows = matching(useConversations(), query);
  return (
    <>
      <ul>
        <SideItem
          mark={<Icon name="search" />}
          text={workStrings.search.everything(visibleText(query.trim()))}
          end={<KeyCap chord="enter" />}
          onClick={() => {
            openOverlay({ type: 'search', text: query.trim() });
          }}
        />
      </ul>
      {rows.length === 0 ? (
        <p className="px-3 py-2 text-ink-3">{strings.sidebar.nothing}</p>
      ) : (
        <SideSection title={strings.sidebar.found} end={<span>{formatCount(rows.length)}</span>}>
          {rows.map((row) => (
            <ConversationItem key={row.conversation_id} row={row} />
          ))}
        </SideSection>
      )}
    </>
  );
}

function Foot() {
  const paused = useApp()?.paused ?? false;
  const theme = useUi((state) => state.theme);
  const choices = (['system', 'dark', 'light'] as const).map((choice) => ({
    label: strings.frame.themes[choice],
    checked: choice === theme,
    onSelect: () => {
      ui.setTheme(choice);
    },
  }));
  const settingsKey = useChord('settings', 'mod+,') ?? undefined;
  return (
    <div className="side-foot">
      <Switch name={strings.frame.pauseEverything} checked={paused} onChange={(pause) => void setPaused(null, pause)} />
      <span className={`el grow ${paused ? 'text-need' : 'text-ink-2'}`}>
        {paused ? strings.frame.paused : strings.frame.pauseEverything}
      </span>
      <Menu trigger={<IconButton icon="theme" name={strings.frame.theme} />} groups={[choices]} />
      <IconButton
        icon="settings"
        name={startStrings.settings.title}
        chord={settingsKey}
        onClick={() => {
          openOverlay({ type: 'settings' });
        }}
      />
    </div>
  );
}

/** The left pane: what needs you first, then what works, then the rest. `projects` draws what is below. What is pressed stays where it is until it is let go. */
export function Sidebar({ projects }: { readonly projects: (still: boolean) => ReactNode }) {
  const [query, setQuery] = useState('');
  const { pressed, begin } = usePress();
  return (
    <>
      <SearchBox query={query} onChange={setQuery} />
      <div className="side-scroll" onPointerDown={begin}>
        {query.trim() === '' ? (
          <>
            <Inbox />
            <NeedsYou still={pressed} />
            <Conversations still={pressed} />
            {projects(pressed)}
            <Archived still={pressed} />
          </>
        ) : (
          <Found query={query} />
        )}
      </div>
      <Foot />
    </>
  );
}
