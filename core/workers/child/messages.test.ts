import { expect, test } from 'vitest';
import type { Message, Steer } from '../../runners/contract.ts';
import { Messages } from './messages.ts';

const steer = (id: string, mode: Steer['mode'] = 'steer'): Steer => ({ steer_id: id, mode, text: `text of ${id}` });
const message = (id: string, origin: Message['origin'] = 'message'): Message => ({
  message_id: id,
  origin,
  text: `text of ${id}`,
  delegation_id: null,
});

function made(): { messages: Messages; told: string[] } {
  const told: string[] = [];
  return { messages: new Messages((id, state) => void told.push(`${id} ${state}`)), told };
}

test('C2: a steer is queued when it comes, taken once by its mode, delivered once', () => {
  const { messages, told } = made();
  messages.steer(steer('s1'));
  messages.steer(steer('s1'));
  messages.steer(steer('s2', 'follow_up'));
  expect(messages.takeSteers('steer').map((each) => each.steer_id)).toEqual(['s1']);
  expect(messages.takeSteers('steer')).toEqual([]);
  messages.delivered('s1');
  messages.delivered('s1');
  messages.steer(steer('s1'));
  expect(told).toEqual(['s1 queued', 's2 queued', 's1 delivered']);
  expect(messages.undelivered()).toEqual([{ steer_id: 's2', text: 'text of s2' }]);
});

test('a steer that comes again as the next message is heard once, as that', () => {
  const { messages, told } = made();
  messages.steer(steer('s1'));
  expect(messages.message(message('s1'))).toBe(true);
  expect(messages.message(message('s1'))).toBe(false);
  expect(messages.takeSteers('steer')).toEqual([]);
  expect(messages.next()?.message_id).toBe('s1');
  expect(messages.next()).toBeNull();
  messages.delivered('s1');
  expect(told).toEqual(['s1 queued', 's1 delivered']);
});

test('R9: a message that the run does not wait for leaves the steer of the same id to the next boundary', () => {
  const { messages } = made();
  messages.steer(steer('s1'));
  expect(messages.message(message('s1'), false)).toBe(false);
  expect(messages.next()).toBeNull();
  expect(messages.takeSteers('steer').map((each) => each.steer_id)).toEqual(['s1']);
});

test('a steer that was delivered is not heard again as a message; one that was taken and is then delivered neither', () => {
  const { messages } = made();
  for (const id of ['s1', 's2']) messages.steer(steer(id));
  messages.takeSteers('steer');
  messages.delivered('s1');
  expect(messages.message(message('s1'))).toBe(false);
  messages.message(message('s2'));
  messages.delivered('s2');
  expect(messages.next()).toBeNull();
  expect(messages.undelivered()).toEqual([]);
});

test('P2: messages that were handed out count as delivered when their turn is over, those that wait do not', () => {
  const { messages, told } = made();
  messages.message(message('d1', 'completion'));
  messages.message(message('m2'));
  messages.next();
  messages.turnOver();
  messages.turnOver();
  expect(told).toEqual(['d1 delivered']);
  expect(messages.undelivered()).toEqual([{ steer_id: 'm2', text: 'text of m2' }]);
});
