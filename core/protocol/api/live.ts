import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { DesktopMessage, WorkNow } from '../desktop.ts';
import { FeedMessage, Scope } from '../feed.ts';
import { Done, base } from './base.ts';

export const live = {
  subscribe: base
    .input(z.object({ client: z.string(), can_answer: z.boolean(), scopes: z.array(Scope) }))
    .output(eventIterator(FeedMessage)),
  /** Changes what a subscription is told of; new scopes are answered with a snapshot each. */
  scopes: base.input(z.object({ subscription_id: z.string(), scopes: z.array(Scope) })).output(Done),
  /** Says up to which revision the client has applied the changes. */
  ack: base.input(z.object({ subscription_id: z.string(), rev: z.number().int() })).output(Done),
  /** What a desktop tells and shows of the work: notices as they are decided, and what tray, badge and task bar show. */
  desktop: base.output(eventIterator(DesktopMessage)),
  /** Says which conversation is on screen in a window with the focus; nothing is told of it. */
  looks: base.input(z.object({ watch_id: z.string(), conversation_id: z.string().nullable() })).output(Done),
  /** What there is to do when the app quits now. */
  work: base.output(WorkNow),
};
