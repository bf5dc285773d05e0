import type { ProjectRow } from '../../protocol/rows.ts';
import type { ReadDb, WriteDb } from '../writers/db.ts';
import { readableJson, storedJson } from './stored-json.ts';

/** All attached projects, the last used first. */
export function readProjects(db: ReadDb): ProjectRow[] {
  const found = db.all<{ row: string }>('SELECT row FROM projects ORDER BY used_at DESC, project_id');
  return readableJson<ProjectRow>(
    found.map(({ row }) => row),
    'project',
  );
}

/** Projects that may have live runs: exactly these are recovered at the start. */
export function readPossiblyLive(db: ReadDb): string[] {
  return db
    .all<{ project_id: string }>('SELECT project_id FROM projects WHERE possibly_live = 1')
    .map(({ project_id }) => project_id);
}

export function writeProject(db: WriteDb, row: ProjectRow): void {
  db.run(
    `INSERT INTO projects (project_id, path, used_at, row) VALUES (?, ?, ?, ?)
     ON CONFLICT (project_id) DO UPDATE SET used_at = excluded.used_at, row = excluded.row`,
    row.project_id,
    row.path,
    row.used_at,
    JSON.stringify(row),
  );
}

/** Takes another project's hold on the folder of this one away. */
export function forgetFolder(db: WriteDb, { project_id, path }: ProjectRow): void {
  db.run('DELETE FROM projects WHERE path = ? AND project_id <> ?', path, project_id);
}

/** Marks a project before its first dispatch, durably; cleared when a recovery found nothing live. */
export function markPossiblyLive(db: WriteDb, projectId: string, live: boolean): void {
  db.run('UPDATE projects SET possibly_live = ? WHERE project_id = ?', Number(live), projectId);
}

/** The digests of what was trusted, by project (A4). */
export function readTrusted(db: ReadDb): Map<string, string> {
  const rows = db.all<{ project_id: string; trusted_content: string }>(
    'SELECT project_id, trusted_content FROM projects WHERE trusted_content IS NOT NULL',
  );
  return new Map(rows.map(({ project_id, trusted_content }) => [project_id, trusted_content]));
}

/** Stores what is trusted of a project; null: nothing. */
export function writeTrusted(db: WriteDb, projectId: string, digest: string | null): void {
  db.run('UPDATE projects SET trusted_content = ? WHERE project_id = ?', digest, projectId);
}

export function removeProject(db: WriteDb, projectId: string): void {
  db.run('DELETE FROM projects WHERE project_id = ?', projectId);
}

/** A value that holds for the whole app, or undefined. */
export function readAppState(db: ReadDb, key: string): unknown {
  const found = db.get<{ value: string }>('SELECT value FROM app_state WHERE key = ?', key);
  return found === undefined ? undefined : storedJson<unknown>(found.value, 'setting of the app');
}

export function writeAppState(db: WriteDb, key: string, value: unknown): void {
  db.run(
    'INSERT INTO app_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    JSON.stringify(value),
  );
}
