import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assignment } from '../../core/protocol/frames.ts';
import type { SteerMode } from '../../core/protocol/rows.ts';
import type { Runner, Steer } from '../../core/runners/contract.ts';
import { runAcp } from '../../core/runners/acp/run.ts';
import { runCli } from '../../core/runners/cli/run.ts';
import { startScriptedModel } from '../../core/scripted-model/scripted-model.ts';
import type { ConversationInput, TurnInput } from '../../core/scripted-model/script-input.ts';
import { isAlive } from '../../core/testing/core-lab.ts';
import { until } from '../../core/testing/process-trees.ts';
import { installRealAgents } from '../../core/testing/real-agents.ts';
import { RunLab } from '../../core/testing/run-lab.ts';
import { ScriptedPort } from '../../core/testing/scripted-port.ts';
import { KNOWN_AGENTS, settingsOf, shellArguments, type KnownAgent } from './known.ts';
import { LIMIT_MS } from './real-lab.ts';
import { watch } from './seen.ts';

const GOAL = 'Do what the script says.';
/** What each calls these failures: Codex has the words "high demand" for a 500. */
const REASONS = [
  [401, 'auth'],
  [429, 'rate_limit'],
  [500, 'server_error|overloaded'],
] as const;
const RUNNERS: Readonly<Record<KnownAgent['runner'], Runner>> = { acp: runAcp, cli: runCli };

let folder = '';
/** Of one agent all the tests have one home: a person has one, too, and some agents need long for the first start in a new one. */
let homes = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
  homes = mkdtempSync(join(tmpdir(), 'espalier-homes-'));
});
afterAll(() => rmSync(homes, { recursive: true, force: true, maxRetries: 5 }));

/** A port that tells how many texts the runner has taken. */
class WatchedPort extends ScriptedPort {
  taken = 0;

  override takeSteers(mode: SteerMode): Steer[] {
    const steers = super.takeSteers(mode);
    this.taken += steers.length;
    return steers;
  }
}

async function open(known: KnownAgent, turns: TurnInput[], more: Partial<ConversationInput> = {}) {
  const lab = RunLab.withoutModel();
  // Titles and the like are asked for beside the task.
  const aside: ConversationInput = { by: 'requests', turns: ['A title'], repeat_last: true };
  const conversations = [{ match: { any: GOAL }, turns, ...more }, aside];
  const server = await startScriptedModel({ script: { conversations } });
  const settings = settingsOf(known, folder, homes, server.url);
  const agent: Assignment['agent'] = { ...settings, id: 'agent', description: known.name, source: 'settings' };
  const run = (port: ScriptedPort, assignment: Partial<Assignment> = {}) =>
    RUNNERS[known.runner](lab.assignment({ agent, models: [], goal: GOAL, ...assignment }), port);
  const close = async (): Promise<void> => {
    await server.close();
    await lab[Symbol.asyncDispose]();
  };
  return { lab, server, run, [Symbol.asyncDispose]: close };
}

function shell(known: KnownAgent, command: string): TurnInput {
  return [{ text: 'I do it.' }, { tool_call: { name: known.shell, arguments: shellArguments(known, command) } }];
}

/** The process of ours that this one descends from: the agent itself. */
function childAbove(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  if (parent <= 1) throw new Error('it does not descend from us');
  return parent === process.pid ? pid : childAbove(parent);
}

const bodies = (server: { requests: readonly { body: unknown }[] }): string =>
  JSON.stringify(server.requests.map(({ body }) => body));

describe.each(KNOWN_AGENTS)('$name', (known) => {
  it('works, and a follow-up goes on with its session', async () => {
    await using it = await open(known, [
      shell(known, 'printf hello > out.txt && cat out.txt'),
      'All done.',
      'And more.',
    ]);
    const port = new ScriptedPort();
    port.steer('steer_1', 'One thing more.', 'follow_up');
    const seen = watch(known.name, 'two turns');
    const { report } = await it.run(port);
    expect(report, JSON.stringify(report)).toMatchObject({
      answer: 'And more.',
      error: null,
      progress: { tool_calls: 1 },
    });
    expect(report.progress.tokens.output).toBeGreaterThan(0);
    expect(it.lab.read('out.txt')).toBe('hello');
    expect(port.delivered).toContain('steer_1');
    expect(bodies(it.server)).toContain('One thing more.');
    seen(`completed, cost ${report.progress.cost_status}`);
  });

  it.each(['stop', 'SIGKILL'] as const)('cases 28, 29: a %s during a tool leaves no process', async (how) => {
    await using it = await open(known, [shell(known, 'echo $$ > pid; exec perl -e "sleep 97"')]);
    const port = new ScriptedPort();
    let ended: unknown = null;
    const running = it.run(port, { limits: { stop_grace_seconds: 5 } as Assignment['limits'] });
    void running.then((end) => (ended = end));
    const pid = (): number => Number(it.lab.read('pid') ?? 0);
    await until('the tool to run', () => pid() > 0 || ended !== null, LIMIT_MS);
    expect(ended).toBeNull();
    const seen = watch(known.name, how === 'stop' ? 'stop in a tool' : 'SIGKILL in a tool');
    if (how === 'stop') port.stopWith('stop');
    else process.kill(childAbove(pid()), 'SIGKILL');
    const { report } = await running;
    if (how === 'stop') expect(report.cut_by).toBe('stop');
    else expect(report).toMatchObject({ cut_by: null, error: { reason: 'process' } });
    expect(await isAlive(pid())).toBe(false);
    seen(how === 'stop' ? 'stopped, nothing left' : 'process, nothing left');
  });

  it.each(REASONS.filter(([status]) => !known.silentAt.includes(status)))(
    'T3: HTTP %i is %s by its own word; never completed',
    async (status, reason) => {
      await using it = await open(known, [{ fault: { status } }], { repeat_last: true });
      const seen = watch(known.name, `HTTP ${status}`);
      const { report } = await it.run(new ScriptedPort(), { limits: { retries: 1 } as Assignment['limits'] });
      expect(report.error?.reason, JSON.stringify(report)).toMatch(new RegExp(`^(${reason})$`));
      expect(report.cut_by).toBeNull();
      seen(`${report.error?.reason}, its own word`);
    },
  );
});

describe.each(KNOWN_AGENTS)('$name, without its model', (known) => {
  it('T3: a refused connection is told within 30 s', async () => {
    await using it = await open(known, ['unused']);
    await it.server.close();
    const seen = watch(known.name, 'refused');
    const begun = performance.now();
    const { report } = await it.run(new ScriptedPort(), { limits: { retries: 1 } as Assignment['limits'] });
    expect(report.error?.reason, JSON.stringify(report)).toBe('network');
    expect(performance.now() - begun).toBeLessThan(30_000);
    seen(`network, ${/^The model (server|endpoint)/.test(report.error?.message ?? '') ? 'preflight' : 'its own word'}`);
  });
});

describe.each(KNOWN_AGENTS.filter(({ steers }) => steers))('$name, while it works', (known) => {
  it('case 30: takes up a steer after the current tool, by the way that its profile has', async () => {
    const wait = 'until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done';
    await using it = await open(known, [shell(known, wait), 'All done.', 'All done.', 'All done.']);
    const port = new WatchedPort();
    let ended: unknown = null;
    const running = it.run(port);
    void running.then((end) => (ended = end));
    const inTool = (): boolean => port.entries.some(({ meta, ended: over }) => meta.type === 'tool_call' && !over);
    await until('the tool to run', () => inTool() || ended !== null, LIMIT_MS);
    const seen = watch(known.name, 'steer in a tool');
    port.steer('steer_1', 'Mention the colour blue.');
    await until('the steer to be taken', () => port.taken > 0 || ended !== null, LIMIT_MS);
    it.lab.write('go', '');
    const { report } = await running;
    const told = it.server.requests.map(({ request }) =>
      request.texts.map(({ role, text }) => [role, text.slice(-60)]),
    );
    expect(report, JSON.stringify([report, told])).toMatchObject({
      answer: 'All done.',
      missed_steer: [],
      error: null,
    });
    expect(bodies(it.server)).toContain('Mention the colour blue.');
    seen(port.delivered.includes('steer_1') ? 'delivered' : 'handed over');
  });
});
