import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDefinition } from '../protocol/agents.ts';

/** What a scripted program does, one after the other; at the end it reads its input to the end, and exits with 0. */
export type CliStep =
  /** Writes a line of JSON, or text as it stands. */
  | { readonly out: unknown }
  | { readonly raw: string }
  | { readonly bytes: readonly number[] }
  | { readonly stderr: string }
  /** Writes one line of so many characters: a message whose `pad` is that long. */
  | { readonly pad: number; readonly out: object }
  /** Waits until its input has held this text (since its start). */
  | { readonly input: string }
  /** Starts a program in a session of its own, as agents start their tools. */
  | { readonly tool: string }
  /** Starts a program that keeps its output open after it has ended. */
  | { readonly keeps: string }
  | { readonly exit: number }
  | { readonly closeOutput: true }
  /** Does nothing more, whatever happens to its input. */
  | { readonly hang: true };

const PROGRAM = `
import { spawn } from 'node:child_process';
import { closeSync, readFileSync, writeSync } from 'node:fs';
const steps = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let input = '';
let ended = false;
let heard = () => undefined;
process.stdin.on('data', (chunk) => { input += chunk; heard(); });
process.stdin.on('end', () => { ended = true; heard(); });
function write(fd, data) {
  const bytes = Buffer.from(data);
  for (let at = 0; at < bytes.length;) {
    try { at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
}
async function until(holds) {
  while (!holds()) await new Promise((resolve) => { heard = resolve; });
}
for (const step of steps) {
  if ('pad' in step) write(1, JSON.stringify({ ...step.out, pad: 'x'.repeat(step.pad) }) + '\\n');
  else if ('out' in step) write(1, JSON.stringify(step.out) + '\\n');
  else if ('raw' in step) write(1, step.raw);
  else if ('bytes' in step) write(1, Buffer.from(step.bytes));
  else if ('stderr' in step) write(2, step.stderr);
  else if ('input' in step) await until(() => input.includes(step.input));
  else if ('tool' in step) spawn('/bin/sh', ['-c', step.tool], { detached: true, stdio: 'ignore' }).unref();
  else if ('keeps' in step) spawn('/bin/sh', ['-c', step.keeps], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref();
  else if ('exit' in step) process.exit(step.exit);
  else if ('closeOutput' in step) closeSync(1);
  else if ('hang' in step) await new Promise(() => setInterval(() => undefined, 60_000));
}
await until(() => ended);
process.exit(0);
`;

let programs = 0;

/** An agent whose program plays these steps; its files are in `folder`. */
export function scriptedCli(folder: string, adapter: string, steps: readonly CliStep[]): AgentDefinition {
  programs += 1;
  const program = join(folder, `agent-${programs}.mjs`);
  const script = join(folder, `steps-${programs}.json`);
  writeFileSync(program, PROGRAM);
  writeFileSync(script, JSON.stringify(steps));
  return {
    id: 'scripted',
    runner: 'cli',
    adapter,
    description: 'Plays a script.',
    source: 'settings',
    command: process.execPath,
    args: [program, script],
    // No preflight: nobody listens.
    env: { ANTHROPIC_BASE_URL: 'none', GOOGLE_GEMINI_BASE_URL: 'none' },
  };
}
