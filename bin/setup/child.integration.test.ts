import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { inRoot } from './root.mjs';

const MODULE = pathToFileURL(inRoot('bin/setup/child.mjs')).href;

/** Says `ready`, then a line for each signal; SIGTERM ends it with status 7. */
const PROGRAM = `
  process.on('SIGINT', () => console.log('SIGINT'));
  process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('ready');
`;

/** A parent that runs `program` through runToEnd, as the scripts do. */
function parentOf(program: string, options: string) {
  const source = `
    import { runToEnd } from ${JSON.stringify(MODULE)};
    process.exitCode = await runToEnd(process.execPath, ['-e', ${JSON.stringify(program)}], ${options});
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  const lines = createInterface({ input: parent.stdout });
  lines.on('line', (line) => said.push(line));
  const until = async (line: string) => {
    while (!said.includes(line)) await once(lines, 'line');
  };
  const ended = once(parent, 'close').then(([code]) => code as number | null);
  return { parent, said, until, ended };
}

test('the exit status of the child is kept', async () => {
  expect(await parentOf('process.exit(3)', '{}').ended).toBe(3);
});

test('a child that a signal ended → 128 and the number of the signal', async () => {
  expect(await parentOf(`process.kill(process.pid, 'SIGKILL')`, '{}').ended).toBe(137);
});

test('a program that is not there → 127', async () => {
  const source = `
    import { runToEnd } from ${JSON.stringify(MODULE)};
    process.exitCode = await runToEnd('/nowhere/program', []);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'ignore' });
  expect((await once(parent, 'close'))[0]).toBe(127);
});

test.each(['{}', '{ ownGroup: true }'])('with %s: SIGTERM → the child, whose status is kept', async (options) => {
  const { parent, until, said, ended } = parentOf(PROGRAM, options);
  await until('ready');
  parent.kill('SIGTERM');
  expect(await ended).toBe(7);
  expect(said).toEqual(['ready', 'SIGTERM']);
});

test('the same signal twice at once (terminal, then npm) → the child has it once', async () => {
  const { parent, until, said, ended } = parentOf(PROGRAM, '{ ownGroup: true }');
  await until('ready');
  parent.kill('SIGINT');
  await until('SIGINT');
  parent.kill('SIGINT');
  // A later signal of another kind must not be taken for a repetition of this one.
  parent.kill('SIGTERM');
  expect(await ended).toBe(7);
  expect(said).toEqual(['ready', 'SIGINT', 'SIGTERM']);
});
