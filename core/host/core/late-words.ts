import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { spoolEvents } from '../../workers/local/spool-events.ts';
import { spoolPath } from '../../workers/wire/spool-file.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import type { Projects } from './projects.ts';

interface EndedAttempt {
  readonly run_id: string;
  readonly committed_seq: number;
  readonly conversation_id: string;
}

/**
 * Takes in what workers of lost runs have left since: one that was given up may have lived on, was then refused, and has put its last words into its
 * spool (D5). They are the proof that refines the verdict (T7).
 */
export async function takeLateWords(projects: Projects, home: string): Promise<void> {
  for (const projectId of await names(join(home, 'projects'))) {
    const attempts = join(home, 'projects', projectId, 'attempts');
    const left = await withSpool(attempts);
    const [engine] = left.length === 0 ? [] : await projects.openSoon([projectId]);
    if (engine === undefined) continue;
    for (const attemptId of left) await takeSpool(engine, attemptId, spoolPath(join(attempts, attemptId)));
  }
}

async function withSpool(attempts: string): Promise<string[]> {
  const all = await names(attempts);
  const has = await Promise.all(all.map((id) => isFile(spoolPath(join(attempts, id)))));
  return all.filter((_, at) => has[at]);
}

async function takeSpool(engine: ProjectEngine, attemptId: string, spool: string): Promise<void> {
  const attempt = engine.db.get<EndedAttempt>(
    `SELECT a.run_id, a.committed_seq, r.conversation_id FROM attempts a JOIN runs r USING (run_id)
     WHERE a.attempt_id = ? AND a.state = 'ended' AND r.outcome = 'lost'
       AND a.n = (SELECT max(n) FROM attempts WHERE run_id = a.run_id)`,
    attemptId,
  );
  if (attempt === undefined) return;
  const { run_id, conversation_id } = attempt;
  let seen = attempt.committed_seq;
  for await (const { frame } of spoolEvents(spool)) {
    if (frame.seq <= seen) continue;
    // Something between is missing: what follows proves nothing.
    if (frame.seq !== seen + 1) break;
    seen = frame.seq;
    engine.event({ attempt_id: attemptId, run_id, conversation_id, seq: frame.seq, event: frame.event });
  }
  await engine.settled();
  const { outcome } = engine.tree(conversation_id)?.runs.get(run_id) ?? {};
  if (outcome !== 'lost') await unlink(spool).catch(() => undefined); // Read again, it changes nothing.
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
