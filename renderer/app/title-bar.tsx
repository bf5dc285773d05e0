import { formatMoney } from '../shared/format.ts';
import { strings } from '../shared/strings.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TrunkMark } from '../ui/icon.tsx';
import { attempt, core } from './client.ts';
import { useCommand } from './commands.ts';
import { useCover } from './cover.ts';
import { useApp, useConversation, useProject } from './live-rows.ts';
import { requestFocus, ui, useUi } from './ui-store.ts';

function Place() {
  const conversation = useConversation(useUi((state) => state.conversation));
  const chosen = useUi((state) => state.project);
  const project = useProject(conversation?.project_id ?? chosen);
  return (
    <h1 className="flex min-w-0 items-center gap-[6px]">
      {project !== undefined && <span className="flex-none text-ink-3">{project.name}</span>}
      {project !== undefined && conversation !== undefined && (
        <span className="text-ink-3" aria-hidden>
          /
        </span>
      )}
      {conversation !== undefined && <span className="el font-semi">{conversation.title}</span>}
      {project === undefined && conversation === undefined && (
        <span className="font-semi">{strings.frame.newConversation}</span>
      )}
      {conversation?.scripted === true && (
        <span className="ml-2 flex-none text-11 text-warn">{strings.frame.scripted}</span>
      )}
    </h1>
  );
}

function Money() {
  const cost = useConversation(useUi((state) => state.conversation))?.cost_usd ?? null;
  if (cost === null) return null;
  return (
    <>
      <span className="text-11 font-med" title={strings.frame.costTitle}>
        {formatMoney(cost)}
      </span>
      <span className="title-rule" />
    </>
  );
}

/** Pauses or resumes everything in the app. */
function setPaused(paused: boolean): Promise<boolean> {
  return attempt(strings.frame.pauseEverything, () =>
    paused ? core.runs.pause({ id: null }) : core.runs.resume({ id: null }),
  );
}

function begin(): void {
  ui.beginIn(null);
  requestFocus('composer');
}

/** The title bar: where we are, what is at work, what it costs. */
export function TitleBar() {
  const app = useApp();
  const paused = app?.paused ?? false;
  const cover = useCover((state) => state.by);
  useCommand({ id: 'new', title: strings.frame.newConversation, chord: 'mod+n', run: begin });
  const sidebarOpen = useUi((state) => state.sidebarOpen);
  return (
    <header className="title-bar" inert={cover === 'first'}>
      <div className="title-left">
        <TrunkMark />
        <span className="grow text-13 font-semi">{strings.app}</span>
        <IconButton
          icon="sidebar"
          name={strings.frame.toggleSidebar}
          chord="mod+b"
          aria-pressed={sidebarOpen}
          onClick={ui.toggleSidebar}
        />
      </div>
      <div className="title-mid" inert={cover !== null}>
        <Place />
        <span className="grow" />
        {app !== null && (
          <span className="title-optional flex flex-none gap-2 text-11">
            <span className="text-ink-3">{strings.frame.atWork}</span>
            <span className="text-ink-2">{strings.frame.atWorkCount(app.at_work, app.places)}</span>
          </span>
        )}
        <span className="title-rule" />
        <Money />
        <span className="flex flex-none gap-1">
          <Button icon={paused ? 'resume' : 'pause'} aria-pressed={paused} onClick={() => void setPaused(!paused)}>
            {paused ? strings.frame.resumeAll : strings.frame.pauseAll}
          </Button>
          <Button icon="plus" chord="mod+n" onClick={begin}>
            {strings.frame.new}
          </Button>
        </span>
      </div>
    </header>
  );
}
