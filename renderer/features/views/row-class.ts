import { MARK_FACTS, type Mark } from '../../shared/status.ts';

/** How a whole row or card looks: what wants somebody is tinted, the done recede. */
export function rowClass(mark: Mark): string {
  if (MARK_FACTS[mark].needsYou) return 'is-need';
  if (MARK_FACTS[mark].done) return 'is-done';
  return mark === 'queued' ? 'is-queued' : '';
}
