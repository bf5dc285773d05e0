import { useState } from 'react';
import type { FileChange, RunChanges } from '../../../core/protocol/changes.ts';
import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { attempt, core, describeFailure } from '../../app/client.ts';
import { useUi } from '../../app/ui-store.ts';
import { diffLines } from '../../shared/diff-lines.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { lineWords } from './change-words.ts';
import { commentOn, mayComment } from './comment.ts';
import { FileDiff } from './file-diff.tsx';

const words = runStrings.changes;
const more = inspectStrings.changes;

/** What came of *Undo*. */
type Undone = { readonly failed: boolean; readonly text: string } | null;

interface FileRowProps {
  readonly run: RunRow;
  readonly change: FileChange;
  readonly source: RunChanges['source'];
  readonly patch: string | undefined;
  /** Open from the start. */
  readonly first: boolean;
  readonly onUndone: () => void;
}

/** The first line that the run has changed, to open the file there. */
function firstLine(patch: string | undefined): number | null {
  const line = diffLines(patch ?? '').find(({ type }) => type === 'add');
  return line?.after ?? null;
}

function openInEditor({ run, change, patch }: FileRowProps): void {
  void attempt(more.notOpened, async () => {
    const run_id = run.worktree === null ? null : run.run_id;
    const target = { project_id: run.project_id, run_id, path: change.path, line: firstLine(patch) };
    toast(more.opened((await core.open.editor(target)).editor));
  });
}

function menuOf(props: FileRowProps, undo: () => void): readonly (readonly MenuItem[])[] {
  const { run, change, source } = props;
  const copy: MenuItem = {
    label: more.copyPath,
    icon: 'copy',
    onSelect: () => void navigator.clipboard.writeText(change.path),
  };
  const open: readonly MenuItem[] =
    change.status === 'deleted'
      ? [copy]
      : [
          {
            label: more.openEditor,
            icon: 'edit',
            onSelect: () => {
              openInEditor(props);
            },
          },
          copy,
        ];
  if (source !== 'calls') return [open];
  return [[{ label: more.undo, icon: 'retry', disabled: !isEnded(run.state), onSelect: undo }], open];
}

function Told({ undone }: { readonly undone: Undone }) {
  if (undone === null) return null;
  return (
    <p
      role={undone.failed ? 'alert' : 'status'}
      className={`change-told ${undone.failed ? 'text-bad-text' : 'text-ink-2'}`}
    >
      {visibleText(undone.text)}
    </p>
  );
}

function Diff({ run, change, patch }: FileRowProps) {
  const view = useUi((state) => state.diffView);
  if (patch === undefined || !/^@@ /m.test(patch)) return <p className="px-8 py-2 text-ink-3">{words.noLines}</p>;
  const onComment = mayComment(run)
    ? (line: Parameters<typeof commentOn>[2]): void => {
        commentOn(run.run_id, change.path, line);
      }
    : null;
  return <FileDiff diff={patch} path={change.path} view={view} onComment={onComment} />;
}

/** One changed file: how much, what can be done with it, and its diff. */
export function FileRow(props: FileRowProps) {
  const { run, change, first, onUndone } = props;
  const [open, setOpen] = useState(first);
  const [undone, setUndone] = useState<Undone>(null);
  const { added, removed } = lineWords(change);
  const path = visibleText(change.path);
  const undo = (): void => {
    core.changes.undo({ run_id: run.run_id, path: change.path }).then(
      () => {
        setUndone({ failed: false, text: more.undone });
        onUndone();
      },
      (error: unknown) => {
        setUndone({ failed: true, text: describeFailure(error).message });
      },
    );
  };
  return (
    <li className="change-file">
      <div className="change-row">
        <button
          type="button"
          className="change-head"
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          <Icon name={open ? 'down' : 'right'} />
          <code className="el" title={path}>
            {change.old_path === null ? path : `${visibleText(change.old_path)} → ${path}`}
          </code>
          <span className="grow" />
          {change.status !== 'modified' && (
            <span className="text-ink-3">{words.statuses[change.status] ?? change.status}</span>
          )}
          {added !== '' && <span className="num text-add">{added}</span>}
          {removed !== '' && <span className="num text-del">{removed}</span>}
        </button>
        <Menu trigger={<IconButton icon="more" name={more.more(path)} />} groups={menuOf(props, undo)} />
      </div>
      <Told undone={undone} />
      {open && <Diff {...props} />}
    </li>
  );
}
