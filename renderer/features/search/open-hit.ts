import type { SearchHit } from '../../../core/protocol/search.ts';
import { jumpTo } from '../../app/jump.ts';
import { ui } from '../../app/ui-store.ts';
import { wordsOfHit } from './hits.ts';

/** Goes to where the words are: the entry and line of a transcript, the result, the run, or the conversation. */
export function openHit(hit: SearchHit, query: string): void {
  const { conversation_id, run_id } = hit;
  if (run_id === null) {
    ui.openConversation(conversation_id);
    return;
  }
  ui.reveal(conversation_id, run_id, hit.kind === 'result' ? 'result' : 'transcript');
  // Its goal is what a transcript begins with.
  const entry = hit.kind === 'goal' ? 0 : hit.kind === 'entry' ? hit.entry : null;
  if (entry !== null) jumpTo({ run_id, entry, line: hit.line, words: wordsOfHit(hit, query) });
}
