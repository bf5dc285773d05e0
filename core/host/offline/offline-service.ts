import { byLastChange, byOpening } from '../../protocol/order.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationTree } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { openReading, type Reading } from '../../registry/reader/open-reading.ts';
import { loadMigrations } from '../../registry/migrate/migrations.ts';
import { countEntries, readEntries } from '../../registry/store/entries.ts';
import { findConversation, readConversation, readConversations, readOpenAsks } from '../../registry/store/read-rows.ts';
import { SettingsFile } from '../core/settings-file.ts';
import { treeOf } from '../engine/stored-tree.ts';
import type { CoreService } from '../service.ts';
import { showConversation, showRun, showSet } from './tree-answers.ts';

/** What can be answered by reading alone. */
export interface OfflineService {
  readonly conversations: Pick<CoreService['conversations'], 'list' | 'show'>;
  readonly sets: Pick<CoreService['sets'], 'show'>;
  readonly runs: Pick<CoreService['runs'], 'show'>;
  readonly asks: Pick<CoreService['asks'], 'list'>;
  readonly transcript: CoreService['transcript'];
  readonly settings: Pick<CoreService['settings'], 'get'>;
}

/** The stored past of a data folder that no core has (cli.md: `list, show, tail, export` with no core up). */
export interface Offline {
  readonly service: OfflineService;
  close(): void;
}

/**
 * Opens the data folder read-only. Rows are as they were stored last: what was live then is settled by the next core.
 * A database that is newer or damaged is an error; what is not there is empty.
 */
export function openOffline(home: string, packageRoot: string): Result<Offline, ApiError> {
  const migrations = loadMigrations(join(packageRoot, 'migrations', 'project'));
  const projects: Reading[] = [];
  const close = (): void => {
    for (const project of projects) project.close();
  };
  for (const id of projectFolders(home)) {
    const opened = openReading(join(home, 'projects', id, 'project.db'), migrations);
    if (!opened.ok) {
      close();
      return err({ code: 'storage', message: opened.error.message });
    }
    if (opened.value !== null) projects.push(opened.value);
  }
  return ok({ service: serve(projects, new SettingsFile(home)), close });
}

function projectFolders(home: string): string[] {
  try {
    return readdirSync(join(home, 'projects'));
  } catch {
    return []; // Nothing was ever started here.
  }
}

function serve(projects: readonly Reading[], settings: SettingsFile): OfflineService {
  const place = (id: string): { db: Reading['db']; conversation_id: string } | null => {
    for (const { db } of projects) {
      const conversation_id = findConversation(db, id);
      if (conversation_id !== null) return { db, conversation_id };
    }
    return null;
  };
  const treeWith = (id: string): ConversationTree | null => {
    const found = place(id);
    const stored = found === null ? null : readConversation(found.db, found.conversation_id);
    return stored === null ? null : treeOf(stored, null);
  };
  const answer = async <T>(id: string, read: (tree: ConversationTree) => T | null): Promise<Result<T, ApiError>> => {
    const tree = treeWith(id);
    const value = tree === null ? null : read(tree);
    return value === null ? unknown(id) : ok(value);
  };
  return {
    conversations: {
      list: async ({ all }) => {
        const rows = projects.flatMap(({ db }) => readConversations(db)).filter((row) => all || !row.archived);
        return ok(rows.sort(byLastChange));
      },
      show: ({ id }) => answer(id, showConversation),
    },
    sets: { show: ({ id }) => answer(id, (tree) => showSet(tree, id)) },
    runs: { show: ({ id }) => answer(id, (tree) => showRun(tree, id)) },
    asks: { list: async () => ok(projects.flatMap(({ db }) => readOpenAsks(db)).sort(byOpening)) },
    transcript: {
      page: async ({ run_id, from, limit }) => {
        const found = place(run_id);
        if (found === null) return unknown(run_id);
        const entries = readEntries(found.db, run_id, from, limit);
        return ok({ entries, entry_count: countEntries(found.db, run_id) });
      },
    },
    settings: { get: async () => settings.load() },
  };
}

function unknown(id: string): { ok: false; error: ApiError } {
  return err({ code: 'not_found', message: `There is no conversation, set or run ${id}.` });
}
