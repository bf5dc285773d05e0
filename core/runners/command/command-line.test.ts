import { expect, it } from 'vitest';
import { commandLine } from './command-line.ts';

const HOST = { platform: 'linux', environment: {} } as const;

it('puts the goal into one argument of the template, never split or expanded again', () => {
  const agent = { command: 'agent', args: ['run', '--task={goal}', '{goal}'] };
  const goal = `a "b" $& $1 'c'; rm -rf / {goal}`;
  expect(commandLine(agent, goal, HOST)).toEqual({ file: 'agent', args: ['run', `--task=${goal}`, goal] });
});

it('K4: a template that does not name the goal gets it on standard input', () => {
  expect(commandLine({ command: 'agent', args: ['-'] }, 'Do it.', HOST)).toEqual({
    file: 'agent',
    args: ['-'],
    input: 'Do it.',
  });
});

it('without a template the goal is a line for the shell', () => {
  expect(commandLine({}, 'ls | wc -l', HOST)).toEqual({ file: '/bin/sh', args: ['-c', 'ls | wc -l'] });
  const windows = { platform: 'win32', environment: { ComSpec: 'C:\\cmd.exe' } } as const;
  expect(commandLine({}, 'dir', windows)).toEqual({ file: 'C:\\cmd.exe', args: ['/d', '/s', '/v:off', '/c', '"dir"'] });
});
