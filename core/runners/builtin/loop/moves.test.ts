import { expect, it } from 'vitest';
import { nextMove, type Move, type Standing } from './moves.ts';

const STANDING: Standing = {
  phase: 'called',
  turn: 'normal',
  lead: false,
  usedUp: null,
  room: 'plenty',
  roomLimit: 'max_tokens',
  windDownFor: null,
  output: 'none',
  repaired: false,
  steered: false,
  delegationsOpen: false,
};

const request = (kind: 'normal' | 'repair' | 'wind_down', limit: string | null = null): Move =>
  ({ type: 'request', kind, limit }) as Move;
const end = (limit: string | null = null): Move => ({ type: 'end', limit }) as Move;
const wait: Move = { type: 'await_message' };

const TABLE: readonly (readonly [name: string, at: Partial<Standing>, next: Move])[] = [
  ['the goal → a request', { phase: 'asked' }, request('normal')],
  ['results of calls → a request', {}, request('normal')],
  ['R4: turns used up → one wind-down', { usedUp: 'max_turns' }, request('wind_down', 'max_turns')],
  ['R4: tool calls used up → one wind-down', { usedUp: 'max_tool_calls' }, request('wind_down', 'max_tool_calls')],
  ['R5: room for one more → wind-down', { room: 'one_more', roomLimit: 'budget' }, request('wind_down', 'budget')],
  ['R5: no room → the end, without a request', { room: 'none' }, end('max_tokens')],
  [
    'R5: no room beats used up turns: a wind-down must be paid too',
    { room: 'none', usedUp: 'max_turns' },
    end('max_tokens'),
  ],
  ['after a wind-down → the end', { turn: 'wind_down', windDownFor: 'max_turns', phase: 'spoke' }, end('max_turns')],
  [
    'after a wind-down steering waits in vain → the end',
    { turn: 'wind_down', windDownFor: 'budget', phase: 'spoke', steered: true },
    end('budget'),
  ],
  [
    'T1: a lead that used up the turns of a message → its next message',
    { turn: 'wind_down', windDownFor: 'max_turns', phase: 'spoke', lead: true },
    wait,
  ],
  [
    'a lead out of money → the end',
    { turn: 'wind_down', windDownFor: 'budget', phase: 'spoke', lead: true },
    end('budget'),
  ],
  ['P8: an output that misses its schema → repair', { output: 'invalid' }, request('repair')],
  ['P8: no output at the end → repair', { phase: 'spoke', output: 'missing' }, request('repair')],
  ['P8: a second miss → the end', { phase: 'spoke', turn: 'repair', output: 'invalid', repaired: true }, end()],
  ['P8: no room for the repair → the end', { phase: 'spoke', output: 'missing', room: 'none' }, end('max_tokens')],
  ['P8: a valid output → the end', { phase: 'spoke', output: 'valid' }, end()],
  ['an answer → the end', { phase: 'spoke' }, end()],
  ['C2: steering that came with the answer → one more turn', { phase: 'spoke', steered: true }, request('normal')],
  [
    'C2: steering that came with the last turn → a wind-down that hears it',
    { phase: 'spoke', steered: true, usedUp: 'max_turns' },
    request('wind_down', 'max_turns'),
  ],
  [
    'P6: an answer with delegations in the background → their completion',
    { phase: 'spoke', delegationsOpen: true },
    wait,
  ],
  ['T1: an answer of a lead → its next message', { phase: 'spoke', lead: true }, wait],
];

it.each(TABLE)('%s', (_name, at, next) => {
  expect(nextMove({ ...STANDING, ...at })).toEqual(next);
});
