import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import { checkAgent } from './check-agents.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'check-agents-')), "First Last (é) & co's");
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

function look(adapter: string, runner: 'acp' | 'cli', own?: { id: string; command: string }) {
  const profile = profileOf({ adapter, runner });
  if (profile === null) throw new Error(`no profile ${adapter}`);
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  return checkAgent(profile, { environment, hidden: [], cwd: folder, clock: systemClock }, own);
}

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('B03: an agent that is not there is told with what was looked for and how to get it; once it is there, it is found', async () => {
  expect(await look('claude-cli', 'cli')).toMatchObject({
    state: 'missing',
    path: null,
    detail: expect.stringContaining('npm install -g @anthropic-ai/claude-code') as string,
  });
  const path = program('claude', 'echo "2.1.207 (Claude Code)"');
  expect(await look('claude-cli', 'cli')).toMatchObject({ state: 'ready', path, version: '2.1.207' });
});

const VERSION = '[ "$1" = --version ] && { echo 0.9.1; exit 0; }';
const HELLO = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}';
const shakes = (session: string): string =>
  `${VERSION}\necho Welcome; read line; echo '${HELLO}'; read line; echo '{"jsonrpc":"2.0","id":2,${session}}'; exec sleep 600`;

test('B04: a program in an odd folder that answers over ACP and opens a session is ready, banner or not', async () => {
  program('gemini', shakes('"result":{"sessionId":"s"}'));
  expect(await look('gemini', 'acp')).toMatchObject({
    state: 'ready',
    version: '0.9.1',
    found_by: 'path',
    authentication: 'It opens a session without asking for a login.',
  });
});

test('B04: one that asks for a login says so with what to do; one that is set by its whole path is found so', async () => {
  const command = program('other-name', shakes('"error":{"code":-32000,"message":"Authentication required"}'));
  const shown = await look('gemini', 'acp', { id: 'mine', command });
  expect(shown).toMatchObject({ id: 'mine', state: 'sign_in', found_by: 'setting', authentication: 'Not signed in.' });
  expect(shown.detail).toContain(profileOf({ adapter: 'gemini', runner: 'acp' })?.sign_in);
});

test('B04: one that fails is faulty, with the command in full and what it said, bytes that are no UTF-8 included', async () => {
  const path = program('gemini', "printf '\\300\\317 no home\\n' >&2; exit 1");
  const { state, detail } = await look('gemini', 'acp');
  expect(state).toBe('faulty');
  expect(detail).toContain(`"${path} --acp"`);
  expect(detail).toContain('exit 1');
  expect(detail).toContain('no home');
});
