import { runCommand } from '../../app/commands.ts';
import { useProject } from '../../app/live-rows.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import type { Mark } from '../../shared/status.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { edit, useBatch } from './batch-store.ts';
import { checkLines, type CheckLine } from './checks.ts';
import { mendOfHead, withoutRow } from './problems.ts';
import { withKey } from './task-fields.ts';
import { useIsolations } from './use-world.ts';
import type { World } from './world.ts';

const words = startStrings.batch;
const MARKS = { ok: 'completed', warn: 'caveat', bad: 'failed' } as const satisfies Record<CheckLine['tone'], Mark>;
const COLOURS = { ok: 'text-ink-2', warn: 'text-warn', bad: 'text-bad-text' } as const;

function takeWorktrees(): void {
  edit((draft) => ({ ...draft, head: withKey(draft.head, 'defaults', 'isolation', 'worktree') }));
}

/** Where a model comes from. */
function ModelWays() {
  return (
    <span className="mt-1 flex flex-wrap gap-2">
      <Button onClick={() => openOverlay({ type: 'settings', section: 'providers' })}>{words.modelSettings}</Button>
      <Button onClick={() => runCommand('first')}>{startStrings.composer.setUp}</Button>
    </span>
  );
}

/** What is wrong with the batch as a whole, in its defaults or in the settings. */
function Whole() {
  const whole = useBatch((state) => state.problems.whole);
  const head = useBatch((state) => state.draft.head);
  return whole.map((problem) => {
    const mend = mendOfHead(head, problem);
    return (
      <li key={problem.message} className="check-line items-start! py-1">
        <Glyph mark="failed" />
        <span>
          <span className="text-bad-text">{problem.message}</span> <span className="text-ink-2">{problem.fix}</span>
          {problem.field === 'defaultModel' && <ModelWays />}
          {mend !== null && (
            <Button
              className="mt-1 flex!"
              onClick={() => edit((draft) => ({ ...draft, head: mend.apply(draft.head) }))}
            >
              {mend.type === 'use' ? words.useWord(mend.word) : words.renameTo(mend.word)}
            </Button>
          )}
        </span>
      </li>
    );
  });
}

/** What was looked at before anything starts, and how it came out. */
export function CheckedPanel({ world }: { readonly world: World }) {
  const draft = useBatch((state) => state.draft);
  const problems = useBatch((state) => state.problems);
  const checking = useBatch((state) => state.checking);
  const failure = useBatch((state) => state.checkFailure);
  const project = useBatch((state) => state.project);
  const git = useProject(project)?.git ?? false;
  const worktrees = useIsolations(project).includes('worktree');
  const untouched = useBatch((state) => state.untouched);
  const lines = checkLines(draft, withoutRow(problems, untouched), world, {
    git,
    // What nobody has come to yet is not marked, and not right either.
    checked: !checking && failure === null && problems.ofRow.size === 0,
  });
  return (
    <section className="batch-panel" aria-label={words.checked}>
      <h2>{words.checked}</h2>
      <div role="status">
        <ul>
          {failure !== null && <li className="text-bad-text">{words.checkFailed(failure)}</li>}
          {lines.map(({ id, tone, text }) => (
            <li key={id} className="check-line">
              <Glyph mark={MARKS[tone]} />
              <span className={COLOURS[tone]}>{text}</span>
              {id === 'sharing' && worktrees && (
                <Button className="col-start-2 justify-self-start" onClick={takeWorktrees}>
                  {words.useWorktrees}
                </Button>
              )}
            </li>
          ))}
          {checking && failure === null && problems.ofRow.size === 0 && (
            <li className="check-line">
              <Glyph mark="queued" />
              <span className="text-ink-3">{words.checking}</span>
            </li>
          )}
          <Whole />
        </ul>
      </div>
    </section>
  );
}
