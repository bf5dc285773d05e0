import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../kit/clock.ts';
import { hostProcesses } from '../../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../../kit/process-tree/process-scanner.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import { BackgroundProcesses } from './background-processes.ts';
import { BUILTIN_TOOLS } from './builtin-tools.ts';
import { prepareCall } from './prepare-call.ts';
import { supervisedPrograms } from './supervised-programs.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** A workspace in a folder of its own, with everything a tool needs; for tests. */
export class ToolFixture implements AsyncDisposable {
  readonly outer = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
  /** Of its own, since what has the mark of a run is ended with it, wherever it is. */
  readonly runId = `run_${this.outer.slice(-6)}${process.pid}`;
  readonly workspace = join(this.outer, 'workspace');
  readonly spillFolder = join(this.outer, 'spill');
  readonly files: string[] = [];
  readonly stop = new AbortController();
  readonly background: BackgroundProcesses;
  readonly context: ToolContext;
  /** Output shown live so far. */
  shown = '';

  constructor() {
    mkdirSync(this.workspace);
    const scanner = new ProcessScanner({ source: hostProcesses(), clock: systemClock });
    const programs = supervisedPrograms(scanner, systemClock, 500);
    this.background = new BackgroundProcesses(programs, systemClock);
    this.context = {
      workspace: this.workspace,
      runId: this.runId,
      signal: this.stop.signal,
      clock: systemClock,
      spillFolder: this.spillFolder,
      environment: toolEnvironment(process.env, { runId: this.runId }),
      programs,
      background: this.background,
      onOutput: (chunk) => (this.shown += chunk),
      onFile: (kind, path) => this.files.push(`${kind} ${path}`),
    };
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  /** Runs a call the way the loop does, from the model's raw arguments. */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const prepared = prepareCall(BUILTIN_TOOLS, name, JSON.stringify(args));
    return prepared.ok ? prepared.value.tool.run(prepared.value.args, this.context) : prepared.error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.background.stopAll();
    rmSync(this.outer, { recursive: true, force: true });
  }
}
