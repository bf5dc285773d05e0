import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab } from '../../../testing/core-lab.ts';
import { startScriptedModel } from '../../../scripted-model/scripted-model.ts';
import type { Logger } from '../../../kit/logger.ts';

const KEY = 'sk-test-CANARY-1';
const HEADER = 'CANARY-2-header';
const ODD_HEADER = 'CANARY-3-odd';
const URL_PASSWORD = 'CANARY-4-url';

/** Files below a folder that hold one of the texts, also in raw database pages. */
function holding(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => texts.some((text) => readFileSync(path).includes(text)));
}

const argv = (): string => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

test('case 51, B39: keys, headers and addresses with a password are nowhere in data folder, logs, argv, rows and results', async () => {
  const logged: string[] = [];
  const note = (fields: unknown, message?: string) => void logged.push(JSON.stringify([fields, message]));
  const logger = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
  const echo = { status: 401, body: { error: { message: `No such key ${KEY}; header ${HEADER}, ${ODD_HEADER}` } } };
  await using model = Object.assign(
    await startScriptedModel({
      script: {
        conversations: [
          { match: { user: 'Be refused' }, turns: [{ fault: echo }] },
          {
            turns: [
              [
                {
                  tool_call: { name: 'bash', arguments: { command: 'env; cat /proc/$PPID/environ | tr "\\0" "\\n"' } },
                },
              ],
              [{ wait_for: 'look' }, { text: 'I have seen the environment.' }],
            ],
          },
        ],
      },
    }),
    { [Symbol.asyncDispose]: () => model.close() },
  );
  await using lab = new CoreLab();
  const { port } = model;
  const models = { 'scripted-model': {} };
  const provider = {
    kind: 'anthropic',
    apiKeyEnv: 'CANARY_KEY',
    headers: { 'x-auth-token': HEADER, 'x-extra': ODD_HEADER },
    models,
  };
  const secrets = [KEY, URL_PASSWORD, ODD_HEADER];
  lab.settings({
    defaultModel: 'scripted/scripted-model',
    providers: {
      scripted: { ...provider, baseUrl: `http://127.0.0.1:${port}/v1` },
      other: { ...provider, baseUrl: `http://u:${URL_PASSWORD}@127.0.0.1:9/v1?key=${URL_PASSWORD}` },
    },
    retries: 0,
  });
  const settings = readFileSync(join(lab.git.data, 'settings.json'), 'utf8');
  const environment = { ...lab.git.environment, NODE_NO_WARNINGS: '1', CANARY_KEY: KEY };
  await lab.host({ logger, environment });
  const set = await lab.dispatch(
    [
      { goal: 'Be refused by the provider', agent: 'general' },
      { goal: 'Reach the other one', agent: 'general', model: 'other/scripted-model' },
      { goal: 'Look at the environment', agent: 'general' },
      'env',
    ],
    { defaults: { isolation: 'none' } },
  );
  await model.waitForGate('look');
  expect(argv()).not.toContain('CANARY');
  model.release('look');
  const { results } = await lab.ended(set);
  expect(results.map(({ status, failure_reason }) => failure_reason ?? status)).toEqual([
    'auth',
    expect.stringMatching(/network|bad_request|auth/),
    'completed',
    'completed',
  ]);
  // The log of the scripted model leaves out what authenticates, but says that it was there.
  expect(model.requests.at(-1)?.headers['x-auth-token']).toBe('[redacted]');
  expect(results[3]?.summary).toContain('ESPALIER_RUN');
  const rows = await Promise.all(set.run_ids.map((run) => lab.row(run)));
  const told = JSON.stringify([results, rows]);
  await lab.leave();
  for (const secret of [...secrets, HEADER]) {
    expect(told).not.toContain(secret);
    expect(logged.join('\n')).not.toContain(secret);
  }
  // Settings are the user's own file: what they wrote into it stays there, and nowhere else.
  const left = holding(lab.git.data, [...secrets, HEADER]).filter((path) => !path.endsWith('settings.json'));
  expect(left).toEqual([]);
  expect(settings).not.toContain(KEY);
  for (const entry of readdirSync(lab.git.data, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    if (entry.isFile() && entry.name !== 'settings.json') expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
  }
});

test('case 51, B39: what a permitted program prints of a key or of a telling variable of its agent is masked before it is stored', async () => {
  const token = 'CANARY-6-tool-server-token';
  await using lab = new CoreLab();
  const command = `printf '%s' "$TOK_TOKEN" | cut -c1-9 | tr -d '\\n'; sleep 0.2; printf '%s\\n' "$TOK_TOKEN" | cut -c10-; cat key; echo "$TOK_TOKEN" >&2; yes "$TOK_TOKEN" | head -n 40000`;
  const agents = { mine: { runner: 'command', env: { TOK_TOKEN: token, PLAIN: 'plain-value' } } };
  lab.settings({ agents, providers: { p: { kind: 'anthropic', apiKeyEnv: 'CANARY_KEY', models: {} } } });
  await lab.host({ environment: { ...lab.git.environment, NODE_NO_WARNINGS: '1', CANARY_KEY: KEY } });
  lab.git.write('key', `${KEY}\n`);
  const entry = await lab.run({
    goal: `${command}; echo $PLAIN`,
    agent: 'mine',
    isolation: 'none',
    acceptance: { verify: [{ command: 'cat key; echo $TOK_TOKEN' }] },
  });
  expect(entry).toMatchObject({ status: 'completed', summary: expect.stringContaining('plain-value') as string });
  expect(entry.summary).toContain('[redacted]');
  expect(entry.acceptance).toMatchObject({ commands: [{ output: '[redacted]\n[redacted]' }] });
  await lab.leave();
  const left = holding(lab.git.data, [token, KEY]).filter((path) => !path.endsWith('settings.json'));
  expect(left).toEqual([]);
});
