import { rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { GcKind } from '../../protocol/gc.ts';
import { attemptEnd, isStoredRun } from '../../registry/store/read-rows.ts';
import { ATTEMPT_FILES } from '../../workers/wire/spool-file.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { bytesOf, DAY_MS, daysOf, namesIn, writtenAt, type Candidate } from './candidate.ts';

/** What holds for old files. */
export interface OldFiles {
  readonly home: string;
  readonly now: number;
  /** Files of ended attempts and backups are kept so long. */
  readonly fileDays: number;
}

/** Only what attempts make themselves; anything else in their folders is somebody's and stays. */
const OUTPUTS = ['spill', ATTEMPT_FILES.stdout, ATTEMPT_FILES.stderr];

/** Files of a project's attempts that have ended, and summaries of runs that are stored no more. */
export function oldProjectFiles(engine: ProjectEngine, { home, now, fileDays }: OldFiles): Candidate[] {
  const folder = join(home, 'projects', engine.projectId);
  const attempts = namesIn(join(folder, 'attempts')).flatMap((name) => {
    const path = join(folder, 'attempts', name);
    const end = attemptEnd(engine.db, name);
    if (end === 'live') return [];
    const spool = join(path, ATTEMPT_FILES.spool);
    const spooled = bytesOf(spool) > 0 ? [file(engine, 'spool', spool, 'Its attempt has ended: nobody reads it.')] : [];
    const age = now - (end === 'unknown' ? writtenAt(path, now) : end);
    if (age < fileDays * DAY_MS) return spooled;
    const why = end === 'unknown' ? 'Its run is not stored any more' : 'Its attempt ended';
    const outputs = OUTPUTS.map((part) => join(path, part)).filter((part) => bytesOf(part) > 0);
    return [...spooled, ...outputs.map((part) => file(engine, 'output', part, `${why}, ${daysOf(age)} ago.`))];
  });
  const summaries = namesIn(join(folder, 'summaries')).flatMap((name) => {
    const run = basename(name, '.md').replace(/-output$/, '');
    if (!name.endsWith('.md') || isStoredRun(engine.db, run)) return [];
    return [file(engine, 'summary', join(folder, 'summaries', name), `The run ${run} is not stored any more.`)];
  });
  return [...attempts, ...summaries];
}

const BACKUP = /^(app|project)\.db\.v\d+\.bak(\.part)?$/;

/** Copies that were made before migrations. */
export function oldBackups({ home, now, fileDays }: OldFiles): Candidate[] {
  const folders = [home, ...namesIn(join(home, 'projects')).map((id) => join(home, 'projects', id))];
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => BACKUP.test(name))
      .map((name) => join(folder, name))
      .filter((path) => now - writtenAt(path, now) >= fileDays * DAY_MS)
      .map((path) => file(null, 'backup', path, `Made before a migration, ${daysOf(now - writtenAt(path, now))} ago.`)),
  );
}

function file(engine: ProjectEngine | null, kind: GcKind, what: string, reason: string): Candidate {
  return {
    item: { kind, project_id: engine?.projectId ?? null, what, bytes: bytesOf(what), reason },
    remove: async () => {
      try {
        await rm(what, { recursive: true, force: true });
        await rmdir(join(what, '..')).catch(() => undefined); // Something else is in it.
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
