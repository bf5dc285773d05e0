import { useEffect, useRef, type ReactNode } from 'react';
import { runCommand } from '../../app/commands.ts';
import { cover } from '../../app/cover.ts';
import { useProjects } from '../../app/live-rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button, KeyCap } from '../../ui/button.tsx';
import { TrunkMark } from '../../ui/icon.tsx';
import { BatchStep } from './batch-step.tsx';
import { FindingsStep } from './findings-step.tsx';
import { closeFirstStart } from './onboarding-state.ts';
import { ProjectStep } from './project-step.tsx';
import './onboarding.css';

const words = startStrings.first;

/** The screen of the first start. */
export function FirstScreen({ demo, keys }: { readonly demo: ReactNode; readonly keys: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const projects = useProjects();
  useEffect(() => {
    element.current?.focus();
    return cover('first');
  }, []);
  return (
    <main
      ref={element}
      className="first"
      aria-label={words.region}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Of a field it is the field's own.
        const typing = event.target instanceof HTMLInputElement;
        if (event.key === 'Escape' && !event.defaultPrevented && !typing) closeFirstStart();
      }}
    >
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
            <FindingsStep keys={keys} />
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
