import { existsSync } from 'node:fs';
import { ok } from '../../../kit/result.ts';
import { SearchKind, type SearchAnswer, type SearchHit } from '../../../protocol/search.ts';
import type { Reader } from '../../../registry/reader/reader.ts';
import { searchWords } from '../../../registry/reader/search-words.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { databaseOf } from '../projects.ts';

/** Search over everything that is stored; runs in the reader's thread, and opens no project for writing. */
export function searchArea(core: Core, reader: Reader): Pick<CoreService, 'search'> {
  const one = async (projectId: string, query: Parameters<Reader['search']>[1]): Promise<SearchAnswer> => {
    const path = databaseOf(core.options.home, projectId);
    // Attached, and never used.
    if (!existsSync(path)) return { hits: [], more: false, problems: [] };
    const found = await reader.search(path, query);
    if (!found.ok) {
      return { hits: [], more: false, problems: [{ project_id: projectId, message: found.error.message }] };
    }
    const hits = found.value.hits.map((hit): SearchHit => ({ ...hit, project_id: projectId }));
    return { hits, more: found.value.more, problems: [] };
  };
  return {
    search: {
      find: async ({ text, project_id, kinds, limit }) => {
        const words = searchWords(text);
        if (words === null) return ok({ hits: [], more: false, problems: [] });
        const query = { ...words, kinds: kinds ?? SearchKind.options, limit };
        const projects = project_id === null ? core.projects.list().map((row) => row.project_id) : [project_id];
        const answers = await Promise.all(projects.map((id) => one(id, query)));
        const hits = answers.flatMap((answer) => answer.hits).toSorted((a, b) => b.at - a.at);
        return ok({
          hits: hits.slice(0, limit),
          more: hits.length > limit || answers.some((answer) => answer.more),
          problems: answers.flatMap((answer) => answer.problems),
        });
      },
    },
  };
}
