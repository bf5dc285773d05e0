import { expect, test } from 'vitest';
import { startsCommand, waitOf, waitsForChildren } from '../../../mcp/delegate-call.ts';

const COMMANDS = ['command', 'lint'];

test.each<[what: string, args: Record<string, unknown>, expected: boolean]>([
  ['one task of the agent command', { goal: 'ls', agent: 'command' }, true],
  ['one of several tasks', { tasks: [{ goal: 'Look at it' }, { goal: 'ls', agent: 'command' }] }, true],
  ['an agent of the settings that runs commands', { tasks: [{ goal: 'ls', agent: 'lint' }] }, true],
  ['the agent of the defaults', { tasks: [{ goal: 'ls' }], defaults: { agent: 'command' } }, true],
  [
    'a task that names another agent than the defaults',
    { tasks: [{ goal: 'x', agent: 'general' }], defaults: { agent: 'command' } },
    false,
  ],
  [
    'a single task that names it itself, whatever the defaults say',
    { goal: 'ls', agent: 'command', defaults: { agent: 'general' } },
    true,
  ],
  ['the same beside an empty list', { tasks: [], goal: 'ls', agent: 'command', defaults: { agent: 'general' } }, true],
  [
    'a single task of another agent than the defaults',
    { goal: 'Look', agent: 'general', defaults: { agent: 'command' } },
    false,
  ],
  ['commands that check the work of a task', { tasks: [{ goal: 'Look', acceptance: { verify: [] } }] }, true],
  ['of a single task', { goal: 'Look', acceptance: { verify: [{ command: 'ls' }] } }, true],
  ['of the defaults', { tasks: ['Look'], defaults: { acceptance: { verify: [{ command: 'ls' }] } } }, true],
  ['of a task in a JSON text', { tasks: '[{"goal":"Look","acceptance":{"verify":[{"command":"ls"}]}}]' }, true],
  ['no commands', { tasks: [{ goal: 'Look', acceptance: null }], defaults: null }, false],
  ['tasks as a JSON text', { tasks: '[{"goal":"ls","agent":"command"}]' }, true],
  ['tasks of agents with a model', { tasks: [{ goal: 'Look', agent: 'general' }, 'Look again'] }, false],
  ['a control action', { action: 'list', agent: 'command' }, false],
])('A1: a program of the model’s choice asks: %s', (_what, args, expected) => {
  expect(startsCommand(args, COMMANDS)).toBe(expected);
});

test('A1: where the default agent runs commands, a task that names no agent asks too', () => {
  expect(startsCommand({ tasks: ['ls'] }, [null, ...COMMANDS])).toBe(true);
  expect(startsCommand({ goal: 'ls' }, [null, ...COMMANDS])).toBe(true);
  expect(startsCommand({ goal: 'ls', agent: 'general' }, [null, ...COMMANDS])).toBe(false);
});

test.each([
  [true, true],
  [false, false],
  [' False ', false],
  ['true', true],
  [null, null],
  [undefined, null],
  ['perhaps', undefined],
  [1, undefined],
  [{}, undefined],
])('P1: wait as %j says %j', (written, said) => {
  expect(waitOf(written)).toBe(said);
  expect(waitsForChildren({ wait: written }, true)).toBe(said ?? true);
  expect(waitsForChildren({ wait: written }, false)).toBe(said ?? false);
});
