import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { installRealAgents } from '../../core/testing/real-agents.ts';
import { KNOWN_AGENTS, settingsOf } from './known.ts';
import { record } from './seen.ts';

const SILENT = KNOWN_AGENTS.flatMap((known) => known.silentAt.map((status) => ({ known, status })));

const FAILURE = /^(stalled|rate_limit|overloaded|server_error)$/;

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

it(
  'T3, R7: an agent that tries again in silence is stalled by our idle limit, with what was last seen; never completed',
  {
    timeout: 900_000,
  },
  async () => {
    const homes = mkdtempSync(join(tmpdir(), 'espalier-homes-'));
    const conversations = [429, 500].map((status) => ({
      match: { any: `Meet HTTP ${status}` },
      turns: [{ fault: { status } }],
      repeat_last: true,
    }));
    const aside = { by: 'requests' as const, turns: ['A title'], repeat_last: true };
    const idOf = (name: string): string => name.replaceAll(' ', '-').toLowerCase();
    {
      await using lab = await ModelLab.open([...conversations, aside], (url) => ({
        agents: Object.fromEntries(
          SILENT.map(({ known }) => [idOf(known.name), settingsOf(known, folder, homes, url)]),
        ),
      }));
      const tasks = SILENT.map(({ known, status }) => ({
        goal: `Meet HTTP ${status} with ${known.name}`,
        agent: idOf(known.name),
        limits: { idle_timeout_seconds: 5 },
      }));
      const set = await lab.dispatch(tasks, { defaults: { isolation: 'none' } });
      const { results } = await lab.lab.ended(set, 800_000);
      const told = results.map(({ status, failure_reason, error }, n) => [
        tasks[n]?.goal,
        status,
        failure_reason,
        error,
      ]);
      for (const [n, { known, status }] of SILENT.entries()) {
        const { status: outcome = '', failure_reason, duration_seconds: seconds = 0 } = results[n] ?? {};
        const row = `HTTP ${status}`;
        record({
          agent: known.name,
          row,
          outcome: `${failure_reason ?? outcome}, ${failure_reason === 'stalled' ? 'idle limit' : 'its own word'}`,
          seconds,
        });
      }
      for (const [goal, status, reason, error] of told) {
        // One that gives up before the limit says why itself.
        expect([status, reason], `${goal}: ${error}`).toEqual(['failed', expect.stringMatching(FAILURE)]);
      }
      console.log(told.map((line) => line.join(' · ')).join('\n'));
    }
    rmSync(homes, { recursive: true, force: true });
  },
);
