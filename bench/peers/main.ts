/** The same fan-out on coding agents of others, against the same scripted model in the same run: ours beside them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installRealAgents, realProgram, type RealProgram } from '../../core/testing/real-agents.ts';
import { CoreProcess } from '../measure/core-process.ts';
import { measureEmptyWorkers } from '../measure/empty-workers.ts';
import { FAN_OUT } from '../measure/model-messages.ts';
import { ModelServer } from '../measure/model-server.ts';
import { cpuOf } from '../measure/process-usage.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { spreadOf } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import { PEERS, type Peer } from './peers.ts';

/** A peer that delegates is told the number by the model. */
const AT_ONCE = FAN_OUT;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

/** One that takes longer for all of its tasks is given up. */
const LIMIT_MS = 120_000;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

interface Contender {
  readonly name: string;
  /** Carries out `AT_ONCE` tasks at once; what one of them cost. Null when one did not end well. */
  run(): Promise<Cost | null>;
}

/** So many tasks at once, each in a process of its own. */
async function runPeer(program: RealProgram, { args }: Peer, cwd: string, count: number): Promise<Cost | null> {
  const before = cpuOf(process.pid)?.reaped ?? 0;
  const began = performance.now();
  const codes = await Promise.all(
    Array.from({ length: count }, async () => {
      const options = { cwd, env: program.env, timeout: LIMIT_MS, killSignal: 'SIGKILL', stdio: 'ignore' } as const;
      const child = spawn(program.command, [...program.args, ...args], options);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    }),
  );
  const wallMs = (performance.now() - began) / count;
  if (codes.some((code) => code !== 0)) return null;
  return { wallMs, cpuMs: (((cpuOf(process.pid)?.reaped ?? 0) - before) * 1000) / count };
}

/** One process that has `AT_ONCE` children; its own start and its two turns are paid for by them. */
async function runDelegating(program: RealProgram, peer: Peer, cwd: string, model: ModelServer): Promise<Cost | null> {
  const before = await model.asked();
  const cost = await runPeer(program, peer, cwd, 1);
  // Its last word is the model's, whatever became of its children: that they have worked, the model knows.
  if (cost === null || (await model.asked()) - before < AT_ONCE + 2) return null;
  return { wallMs: cost.wallMs / AT_ONCE, cpuMs: cost.cpuMs / AT_ONCE };
}

async function peerContenders(folder: string, model: ModelServer): Promise<Contender[]> {
  const found: Contender[] = [];
  for (const [n, peer] of PEERS.entries()) {
    const [cwd, home] = [join(folder, `work-${n}`), join(folder, `home-${n}`)];
    mkdirSync(cwd, { recursive: true });
    const installed = await installRealAgents(peer.set);
    const program = realProgram(peer.agent, installed, home, model.url);
    peer.prepare?.(installed, home);
    const run = (count: number): Promise<Cost | null> =>
      peer.delegates === true ? runDelegating(program, peer, cwd, model) : runPeer(program, peer, cwd, count);
    // Once before: what an agent does only at its first start is not counted.
    const first = await run(1).catch(() => null);
    if (first === null) console.error(`${peer.name} does not run here`);
    else found.push({ name: peer.name, run: () => run(AT_ONCE) });
  }
  return found;
}

/** Ours: a set of as many tasks on a core that has its pool ready, which is paid for. */
function ours(core: CoreProcess): Contender {
  return {
    name: 'espalier',
    async run() {
      await core.atRest();
      const before = core.usage();
      const { wallMs } = await core.dispatch('Say that it is done', AT_ONCE, AT_ONCE);
      await core.atRest();
      const after = core.usage();
      const cpu = after.core - before.core + after.workers - before.workers;
      return { wallMs: wallMs / AT_ONCE, cpuMs: (cpu * 1000) / AT_ONCE };
    },
  };
}

async function bench(folder: string, model: ModelServer, core: CoreProcess): Promise<void> {
  const us = ours(core);
  await us.run();
  const contenders = [us, ...(await peerContenders(folder, model))];
  const costs = new Map(contenders.map(({ name }) => [name, [] as Cost[]]));
  const empty: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { wallMs, cpuSeconds } = await measureEmptyWorkers(AT_ONCE, 2);
    empty.push({ wallMs, cpuMs: cpuSeconds * 1000 });
    for (const { name, run } of contenders) {
      const cost = await run();
      if (cost !== null) costs.get(name)?.push(cost);
    }
    console.error(`round ${round} of ${ROUNDS} measured`);
  }
  const base = costs.get(us.name) ?? [];
  const median = (of: readonly Cost[], what: keyof Cost): number => spreadOf(of.map((cost) => cost[what])).median;
  const lines = [['empty worker', empty] as const, ...costs].filter(([, of]) => of.length > 0);
  const rows = lines.map(([name, of]) => [
    name,
    ...(['wallMs', 'cpuMs'] as const).flatMap((what) => {
      const value = spreadOf(of.map((cost) => cost[what]));
      const times = value.median / median(base, what);
      return [value.min, value.median, value.max].map((ms) => ms.toFixed(0)).concat(times.toFixed(2));
    }),
  ]);
  const about = circumstances();
  const head = [
    'per child, 10 at once',
    'wall, ms (min)',
    '(median)',
    '(max)',
    '× ours',
    'CPU, ms (min)',
    '(median)',
    '(max)',
    '× ours',
  ];
  console.log(`${textTable(head, rows)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
  console.log(
    `written to ${writeResults('peers', { ...about, at_once: AT_ONCE, empty, costs: Object.fromEntries(costs) })}`,
  );
}

/** Where the programs are kept; see `bin/agents-install.mjs`. */
const CACHE =
  process.env['ESPALIER_AGENTS_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'espalier-agents');

if (existsSync(CACHE)) await benchPeers();
else console.log('Skipped: the agents of others are not installed (npm run agents:install).');

async function benchPeers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-peers-'));
  const model = await ModelServer.start();
  const core = await CoreProcess.start(mkdtempSync(join(folder, 'core-')), model.url);
  try {
    await bench(folder, model, core);
  } finally {
    await core.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
