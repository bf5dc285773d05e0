import { useEffect, useRef, type ReactNode } from 'react';
import { runCommand, useCommand } from '../../app/commands.ts';
import { useConnection } from '../../app/connection.ts';
import { cover, useCover } from '../../app/cover.ts';
import { useApp, useProjects } from '../../app/live-rows.ts';
import { useUi } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button, KeyCap } from '../../ui/button.tsx';
import { TrunkMark } from '../../ui/icon.tsx';
import { BatchStep } from './batch-step.tsx';
import { FindingsStep } from './findings-step.tsx';
import { closeFirstStart, openFirstStart, useFirstStart } from './onboarding-state.ts';
import { ProjectStep } from './project-step.tsx';
import './onboarding.css';

const words = startStrings.first;

/** Shows the first start when the app has come up without a project; leaves when a conversation is opened. */
function useFirst(): boolean {
  const open = useFirstStart((state) => state.open);
  const app = useApp();
  const count = useProjects().length;
  const connected = useConnection((connection) => connection.state === 'open');
  const conversation = useUi((state) => state.conversation);
  const under = useCover((state) => state.by === 'batch');
  useEffect(() => {
    if (app !== null && useFirstStart.getState().open === null) useFirstStart.setState({ open: count === 0 });
  }, [app, count]);
  useEffect(
    () =>
      useUi.subscribe((state, before) => {
        if (state.conversation !== null && state.conversation !== before.conversation) closeFirstStart();
      }),
    [],
  );
  useCommand({ id: 'first', title: words.open, chord: null, run: openFirstStart });
  // A conversation that was kept from another time is no reason to hide that there is no project.
  return open === true && connected && app !== null && !under && (conversation === null || count === 0);
}

function Screen({ demo }: { readonly demo: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const projects = useProjects();
  useEffect(() => {
    element.current?.focus();
    return cover('first');
  }, []);
  return (
    <main ref={element} className="first" aria-label={words.region} tabIndex={-1}>
      <div className="first-top">
        <span className="grow" />
        <Button kind="text" className="text-ink-2" onClick={closeFirstStart}>
          {words.skip}
        </Button>
      </div>
      <div className="first-scroll">
        <div className="first-column">
          <div className="flex items-center gap-3">
            <span className="first-mark">
              <TrunkMark />
            </span>
            <h1 className="text-20 font-semi">{words.title}</h1>
          </div>
          <ol>
            <FindingsStep />
            <ProjectStep project={projects[0]} />
            <BatchStep project={projects[0]} demo={demo} />
          </ol>
        </div>
      </div>
      <div className="first-foot">
        {words.foot.map((text) => (
          <span key={text}>{text}</span>
        ))}
        <button type="button" onClick={() => runCommand('shortcuts')}>
          {words.shortcuts} <KeyCap chord="?" />
        </button>
      </div>
    </main>
  );
}

/** The first start: what is there, a folder, a first batch that runs. `demo` starts the demo. */
export function Onboarding({ demo }: { readonly demo: ReactNode }) {
  return useFirst() ? <Screen demo={demo} /> : null;
}
