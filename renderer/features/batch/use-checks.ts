import { useEffect } from 'react';
import { core, describeFailure } from '../../app/client.ts';
import { setChecking, setProblems, useBatch } from './batch-store.ts';
import { toBatch } from './draft.ts';
import { NO_PROBLEMS, problemsByRow } from './problems.ts';

/** The core is asked when typing pauses for this long. */
const CHECK_AFTER_MS = 250;

/** Has the core look at the batch whenever it has changed. An answer that comes late, for an older state, is let go. */
export function useChecks(): void {
  const draft = useBatch((state) => state.draft);
  const project = useBatch((state) => state.project);
  useEffect(() => {
    if (draft.rows.length === 0) {
      setProblems(NO_PROBLEMS);
      return;
    }
    setChecking();
    let wanted = true;
    const keys = draft.rows.map(({ key }) => key);
    const ask = async (): Promise<void> => {
      try {
        const { problems } = await core.batches.validate({ project_id: project, batch: toBatch(draft) });
        if (wanted) setProblems(problemsByRow(problems, keys));
      } catch (error) {
        if (wanted) setProblems(useBatch.getState().problems, describeFailure(error).message);
      }
    };
    const timer = setTimeout(() => void ask(), CHECK_AFTER_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [draft, project]);
}
