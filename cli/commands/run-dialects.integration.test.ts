import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { SetResult } from '../../core/protocol/result-entry.ts';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { run } from './run.ts';

const DIALECTS = { anthropic: 'v1', openai: 'v1', 'openai-compatible': 'v1', google: 'v1beta' } as const;

test('T6: a batch in a git repository really edits files in all four dialects, and its JSON fits the published schema', async () => {
  const kinds = Object.entries(DIALECTS);
  const conversations = kinds.map(([kind]) => ({
    match: { user: `Greet in ${kind} please` },
    turns: [
      { tool_call: { name: 'read', arguments: { path: `${kind}.txt` } } },
      { tool_call: { name: 'edit', arguments: { path: `${kind}.txt`, old_string: 'good bye', new_string: 'hello' } } },
      `The file of ${kind} greets now.`,
    ],
  }));
  const models = { m: { contextWindow: 100_000, price: { input: 1, output: 10 } } };
  await using opened = await ModelLab.open(conversations, (url) => ({
    providers: Object.fromEntries(
      kinds.map(([kind, path]) => [`p-${kind}`, { kind, baseUrl: `${url}/${path}`, models }]),
    ),
  }));
  const { lab, model } = opened;
  for (const [kind] of kinds) writeFileSync(join(lab.git.project, `${kind}.txt`), `${kind} says good bye\n`);
  const tasks = kinds.map(([kind]) => ({ goal: `Greet in ${kind} please`, model: `p-${kind}/m` }));
  const client = localClient(createRouter(lab.service, lab.core.hub, silentLogger), 'cli');
  const stdin = JSON.stringify({ defaults: { permission: 'auto' }, tasks });
  const { context, seen } = createFakeContext({ client, cwd: lab.git.project, stdin });
  expect(await run(context, givenArguments(['-'], { json: true }))).toBe(0);
  const printed: unknown = JSON.parse(seen.out);
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/schema/result.schema.json'), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({ strict: false });
  expect([ajv.validate(schema, printed), ajv.errors]).toEqual([true, null]);
  for (const [at, [kind]] of kinds.entries()) {
    expect(readFileSync(join(lab.git.project, `${kind}.txt`), 'utf8')).toBe(`${kind} says hello\n`);
    expect(SetResult.parse(printed).results[at]).toMatchObject({
      status: 'completed',
      summary: `The file of ${kind} greets now.`,
      files_written: [`${kind}.txt`],
      turns: 3,
    });
  }
  expect(new Set(model.requests.map(({ dialect }) => dialect)).size).toBe(4);
}, 60_000);
