import { fence, neutralise } from '../workspace/fences/fence.ts';
import type { Message } from './contract.ts';

/** A message to a run as its model reads it: what children have answered is data (K2). */
export function messageText({ origin, text }: Message): string {
  if (origin === 'message') return neutralise(text);
  return `A delegation in the background has ended. Its result:\n${fence('child_answer', text)}`;
}
