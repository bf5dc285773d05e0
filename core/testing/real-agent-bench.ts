import { join } from 'node:path';
import type { Assignment } from '../protocol/frames.ts';
import type { RunReport } from '../protocol/report.ts';
import type { Runner, RunnerEnd } from '../runners/contract.ts';
import { isAlive } from './core-lab.ts';
import { until } from './process-trees.ts';
import { installRealAgents, realProgram, type RealAgent } from './real-agents.ts';
import { RunLab } from './run-lab.ts';
import { ScriptedPort } from './scripted-port.ts';

/** A turn of the scripted model. */
export type TurnInput = Parameters<typeof RunLab.open>[0][number];

/** For whatever waits for a real agent: they take seconds to come up, on a loaded machine many. */
export const REAL_AGENT_LIMIT_MS = 90_000;

/** Installing the programs, the first time. */
export const REAL_AGENT_INSTALL_MS = 600_000;

/** A real agent as a test has it. */
interface RealAgentKind {
  readonly program: RealAgent;
  readonly agent: Pick<Assignment['agent'], 'id' | 'runner' | 'adapter' | 'description'>;
  readonly run: Runner;
  /** The call of its own tool for a shell command. */
  readonly shellCall: (command: string) => { readonly name: string; readonly arguments: Record<string, unknown> };
}

/** An agent before a scripted model, and its working folder. */
interface OpenAgent {
  readonly lab: RunLab;
  run(port: ScriptedPort, more?: Partial<Assignment>): Promise<RunnerEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The real program of one kind, run by its runner against the scripted model. */
export class RealAgentBench {
  readonly #kind: RealAgentKind;
  #folder = '';

  constructor(kind: RealAgentKind) {
    this.#kind = kind;
  }

  /** Gets the program; give it {@link REAL_AGENT_INSTALL_MS}. */
  async install(): Promise<void> {
    this.#folder = await installRealAgents('tests');
  }

  async open(turns: TurnInput[], more: { readonly repeat_last?: boolean } = {}): Promise<OpenAgent> {
    const lab = await RunLab.open(turns, more);
    const { program, agent, run } = this.#kind;
    const { command, args, env } = realProgram(program, this.#folder, join(lab.outer, 'home'), lab.model.url);
    const definition: Assignment['agent'] = {
      ...agent,
      source: 'settings',
      command,
      args: [...args],
      env: { ...env },
    };
    return {
      lab,
      run: (port, change = {}) => run(lab.assignment({ agent: definition, models: [], ...change }), port),
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  }

  /** A turn in which it says a word and runs a command. */
  shell(command: string): TurnInput {
    return [{ text: 'I do it.' }, { tool_call: this.#kind.shellCall(command) }];
  }

  /** Stops it while its tool runs; `left`: the tool still lives afterwards. */
  async stopDuringTool(): Promise<{ report: RunReport; left: boolean }> {
    await using agent = await this.open([this.shell('echo $$ > pid; exec perl -e "sleep 97"')]);
    const port = new ScriptedPort();
    const running = agent.run(port, { limits: { stop_grace_seconds: 5 } as Assignment['limits'] });
    await until('the tool to run', () => Number(agent.lab.read('pid') ?? 0) > 0, REAL_AGENT_LIMIT_MS);
    port.stopWith('stop');
    const { report } = await running;
    return { report, left: await isAlive(Number(agent.lab.read('pid'))) };
  }

  /** Lets it call `delegate_task` and then `report_result` with `{n: 4}`; `heard`: all that its model was sent. */
  async delegate(childSays: string): Promise<{ report: RunReport; calls: ScriptedPort['calls']; heard: string }> {
    await using agent = await this.open([
      { tool_call: { name: 'delegate_task', arguments: { goal: 'Look into it' } } },
      { tool_call: { name: 'report_result', arguments: { n: 4 } } },
      'All done.',
    ]);
    const port = new ScriptedPort({
      onCall: () => ({ isError: false, text: childSays, background: null, display: null }),
    });
    const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const delegate = { description: 'Gives work to other agents.', wait_default: true };
    const { report } = await agent.run(port, { delegate, output_schema });
    return { report, calls: port.calls, heard: agent.lab.bodies.join('\n') };
  }
}
