import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { api, attempt, clientToken, core } from '../../app/client.ts';
import { useApp } from '../../app/live-rows.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { showBegun } from '../../app/window-size.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { firstBatch, firstTasks, type FirstTask } from './first-batch.ts';
import { closeFirstStart } from './onboarding-state.ts';
import { Step } from './step.tsx';

const words = startStrings.first;

const onWindows = (): boolean => /^Win/.test(navigator.platform);

/** Without a folder it is shown what could be asked there. */
const ANY_PROJECT = { git: true };

function Tasks({ tasks }: { readonly tasks: readonly FirstTask[] }) {
  return (
    <ol className="step-panel">
      {tasks.map(({ goal, label, agent }, place) => (
        <li key={goal} className="first-task" title={goal}>
          <Glyph mark="queued" />
          <span className="text-11 text-ink-3">{place + 1}</span>
          <span className="el">{label}</span>
          <span className="flex items-center gap-1 text-ink-3">
            <AgentMark agent={agent} />
            {agent}
          </span>
        </li>
      ))}
    </ol>
  );
}

function useRun(project: ProjectRow | undefined, tasks: readonly FirstTask[]) {
  const [starting, setStarting] = useState(false);
  const token = useRef<string | null>(null);
  const run = async (): Promise<void> => {
    if (project === undefined || starting) return;
    setStarting(true);
    token.current ??= clientToken();
    const { current } = token;
    await attempt(words.runFailed, async () => {
      const answer = await core.batches.dispatch({
        project_id: project.project_id,
        conversation_id: null,
        batch: firstBatch(tasks),
        client_token: current,
      });
      closeFirstStart();
      showBegun(answer);
    });
    setStarting(false);
  };
  return { starting, run };
}

/** The last step: a first batch that only reads, or the demo. */
export function BatchStep({ project, demo }: { readonly project: ProjectRow | undefined; readonly demo: ReactNode }) {
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  const hasModel = (useApp()?.default_model ?? null) !== null;
  const tasks = firstTasks(agents, hasModel, project ?? ANY_PROJECT, onWindows());
  const { starting, run } = useRun(project, tasks);
  const programs = tasks.every(({ agent }) => agent === 'command');
  const edit = (): void => {
    openOverlay({
      type: 'batch',
      project_id: project?.project_id ?? null,
      conversation_id: null,
      text: JSON.stringify(firstBatch(tasks)),
      name: null,
    });
  };
  return (
    <Step
      state={project === undefined ? 'later' : 'now'}
      title={words.batchStep}
      hint={programs ? words.batchHintPrograms(tasks.length) : words.batchHint(tasks.length)}
    >
      <Tasks tasks={tasks} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          key={project?.project_id}
          big
          kind="primary"
          chord="enter"
          disabled={project === undefined || starting}
          autoFocus={project !== undefined}
          onClick={() => void run()}
        >
          {words.run(tasks.length)}
        </Button>
        <Button big disabled={project === undefined} onClick={edit}>
          {words.edit}
        </Button>
        <span className="text-11 text-ink-3">{words.stopAnytime}</span>
        <span className="grow" />
        {demo}
      </div>
    </Step>
  );
}
