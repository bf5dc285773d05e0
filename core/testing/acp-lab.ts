import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentDefinition } from '../protocol/agents.ts';
import type { EntryMeta } from '../protocol/entry.ts';
import type { Assignment } from '../protocol/frames.ts';
import { runAcp } from '../runners/acp/run.ts';
import type { RunnerEnd } from '../runners/contract.ts';
import { RunLab } from './run-lab.ts';
import type { ScriptedAcpAgent } from './scripted-acp-agent.ts';
import { ScriptedPort, type WrittenEntry } from './scripted-port.ts';

const PROGRAM = fileURLToPath(new URL('./scripted-acp-agent.ts', import.meta.url));

/** What an agent does; it sees nothing but its argument, as it travels as source text. */
export type AcpScript = (agent: ScriptedAcpAgent) => unknown;

/** Writes a script beside nothing else; answers how the agent that does it is started. */
export function scriptedAgent(
  folder: string,
  script: AcpScript,
  name = 'agent',
): Pick<AgentDefinition, 'command' | 'args'> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `export default ${script.toString()};\n`);
  return { command: process.execPath, args: ['--no-warnings', PROGRAM, file] };
}

/** One run of the runner `acp` with a scripted agent; dispose its lab after the test. */
export class AcpLab implements AsyncDisposable {
  readonly lab = RunLab.withoutModel();
  readonly port: ScriptedPort;

  constructor(port: ScriptedPort = new ScriptedPort()) {
    this.port = port;
  }

  assignment(script: AcpScript, more: Partial<Assignment> = {}): Assignment {
    const agent: AgentDefinition = {
      id: 'scripted',
      runner: 'acp',
      description: '',
      source: 'settings',
      ...scriptedAgent(this.lab.outer, script),
    };
    // Of its own: what has the marker of a run is ended with it.
    const run_id = `run_${createHash('sha256').update(this.lab.outer).digest('hex').slice(0, 12)}`;
    return this.lab.assignment({ models: [], run_id, ...more, agent: { ...agent, ...more.agent } });
  }

  run(script: AcpScript, more: Partial<Assignment> = {}): Promise<RunnerEnd> {
    return runAcp(this.assignment(script, more), this.port);
  }

  /** Pid of the agent that was started last. */
  get pid(): number {
    return Number(readFileSync(join(this.lab.outer, 'agent.mjs.pid'), 'utf8'));
  }

  entries<T extends EntryMeta['type']>(type: T): (WrittenEntry & { meta: Extract<EntryMeta, { type: T }> })[] {
    return this.port.entries.filter((entry) => entry.meta.type === type) as never;
  }

  /** Lines of a file that the agent wrote in the workspace. */
  notes(name: string): string[] {
    return (this.lab.read(name) ?? '').split('\n').filter(Boolean);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
  }
}
