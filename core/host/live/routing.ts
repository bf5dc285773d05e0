import { assertNever } from '../../kit/assert-never.ts';
import type { Change, Scope } from '../../protocol/feed.ts';
import { asksForAttention } from '../../protocol/lifecycle.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { RoutedChange } from '../engine/flush.ts';

/** Whether sidebar and inbox show the run by itself: a failure nobody has looked at, or a wait for a person. */
export function needsAttention(row: RunRow): boolean {
  return (row.failure_line !== null && !row.seen) || asksForAttention(row);
}

/** A change on its way to subscriptions. */
export interface PublishedChange {
  readonly routed: RoutedChange;
  /** A run that needs attention, or did before this change. */
  readonly attention: boolean;
}

/** One name for each scope. */
export function scopeKey(scope: Scope): string {
  switch (scope.type) {
    case 'app':
      return 'app';
    case 'conversation':
      return `conversation/${scope.conversation_id}`;
    case 'transcript':
      return `transcript/${scope.run_id}`;
    default:
      return assertNever(scope);
  }
}

/** Whether who asked for the scope is to be told of the change. */
export function isInScope(scope: Scope, published: PublishedChange): boolean {
  const { change, conversation_id, run_id } = published.routed;
  switch (scope.type) {
    case 'app':
      return isOfApp(change, published.attention);
    case 'conversation':
      return isOfConversation(change, conversation_id, scope.conversation_id);
    case 'transcript':
      return isOfTranscript(change) && run_id === scope.run_id;
    default:
      return assertNever(scope);
  }
}

function isOfApp(change: Change, attention: boolean): boolean {
  switch (change.type) {
    case 'app':
    case 'project':
    case 'conversation':
    case 'ask':
    case 'removed':
      return true;
    case 'run':
      return attention;
    case 'set':
    case 'steer':
    case 'entry':
    case 'delta':
    case 'entry_meta':
    case 'entry_end':
      return false;
    default:
      return assertNever(change);
  }
}

function isOfConversation(change: Change, conversationId: string, wanted: string): boolean {
  switch (change.type) {
    case 'conversation':
    case 'set':
    case 'run':
    case 'ask':
    case 'steer':
      return conversationId === wanted;
    case 'removed':
      return change.what === 'conversation' && change.id === wanted;
    case 'app':
    case 'project':
    case 'entry':
    case 'delta':
    case 'entry_meta':
    case 'entry_end':
      return false;
    default:
      return assertNever(change);
  }
}

function isOfTranscript(change: Change): boolean {
  switch (change.type) {
    case 'entry':
    case 'delta':
    case 'entry_meta':
    case 'entry_end':
    case 'run':
    case 'steer':
      return true;
    case 'app':
    case 'project':
    case 'conversation':
    case 'set':
    case 'ask':
    case 'removed':
      return false;
    default:
      return assertNever(change);
  }
}
