import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { toolEnvironment } from '../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../protocol/frames.ts';
import { NOTHING_ELSE } from '../protocol/bare-report.ts';
import type { RunReport } from '../protocol/report.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import type { Runner, RunnerPort } from '../runners/contract.ts';
import { runWorker } from '../workers/child/run-worker.ts';

/** What a script of a test has at hand inside the worker. A script sees nothing but this: it travels as source text. */
export interface ScriptTools {
  readonly port: RunnerPort;
  readonly assignment: Assignment;
  /** Resolves as soon as the file is in the workspace. */
  file(name: string): Promise<void>;
  wait(ms: number): Promise<void>;
  /** Appends a line to a file of the workspace at once. */
  note(name: string, text: string): void;
  /** Starts `sh -c script` in a session of its own, with the tools' environment, as tools do. */
  shell(script: string): ChildProcess;
  /** A report of a run that went well, with changes. */
  report(more?: Partial<RunReport>): RunReport;
}

/** A script: what it returns are changes to the report. */
export type WorkerScript = (tools: ScriptTools) => Promise<Partial<RunReport> | void>;

const runScript: Runner = async (assignment, port) => {
  const path = (name: string): string => `${assignment.workspace}/${name}`;
  const report = (more: Partial<RunReport> = {}): RunReport => ({
    progress: {
      turns: 1,
      tool_calls: 0,
      tokens: NO_TOKENS,
      cost_usd: null,
      cost_status: 'unknown',
      active_seconds: port.activeSeconds(),
    },
    answer: 'done',
    ...NOTHING_ELSE,
    missed_steer: port.undeliveredSteers(),
    ...more,
  });
  const tools: ScriptTools = {
    port,
    assignment,
    wait,
    report,
    async file(name) {
      while (!existsSync(path(name))) await wait(5);
    },
    note: (name, text) => appendFileSync(path(name), `${text}\n`),
    shell: (script) =>
      spawn('sh', ['-c', script], {
        cwd: assignment.workspace,
        env: toolEnvironment(assignment.environment, { runId: assignment.run_id }),
        detached: true,
        stdio: 'ignore',
      }),
  };
  writeFileSync(path('worker.pid'), `${process.pid}\n`);
  const script = (0, eval)(`(${assignment.goal})`) as WorkerScript;
  const changes = await script(tools);
  return { report: report(changes ?? {}), session: null };
};

const limits = process.argv[2] === undefined ? {} : { limits: JSON.parse(process.argv[2]) };
runWorker({ runners: { builtin: () => Promise.resolve(runScript) }, ...limits });
