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

function look(adapter: string, runner: 'acp' | 'cli') {
  const profile = profileOf({ adapter, runner });
  if (profile === null) throw new Error(`no profile ${adapter}`);
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  return checkAgent(profile, { environment, hidden: [], cwd: folder, clock: systemClock });
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

test('B04: a program in an odd folder that answers over ACP is ready, banner or not', async () => {
  const reply = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}';
  program(
    'gemini',
    `[ "$1" = --version ] && { echo 0.9.1; exit 0; }\necho Welcome; read line; echo '${reply}'; exec sleep 600`,
  );
  expect(await look('gemini', 'acp')).toMatchObject({ state: 'ready', version: '0.9.1' });
});

test('B04: one that fails is faulty, with the command in full and what it said, bytes that are no UTF-8 included', async () => {
  const path = program('gemini', "printf '\\300\\317 no home\\n' >&2; exit 1");
  const { state, detail } = await look('gemini', 'acp');
  expect(state).toBe('faulty');
  expect(detail).toContain(`"${path} --acp"`);
  expect(detail).toContain('exit 1');
  expect(detail).toContain('no home');
});
