import { join } from 'node:path';
import type { AgentSettings } from '../../core/protocol/settings.ts';
import { realProgram, type RealAgent } from '../../core/testing/real-agents.ts';

/** One way to a real agent: what is asked of it by the words of its own. */
export interface KnownAgent {
  readonly name: string;
  readonly agent: RealAgent;
  readonly runner: 'acp' | 'cli';
  readonly adapter: string;
  /** After the program itself. */
  readonly args: readonly string[];
  readonly shell: string;
  readonly model?: string;
  readonly steers: boolean;
  readonly delegates: boolean;
  /** Statuses that it answers by trying again in silence for longer than anybody waits: the idle limit is what ends it. */
  readonly silentAt: readonly number[];
}

const CLI = { runner: 'cli', args: [], steers: true, delegates: true, silentAt: [] } as const;
const ACP = { runner: 'acp', args: [], steers: true, delegates: true, silentAt: [] } as const;
const GEMINI = ['-m', 'gemini-2.5-flash'];

/** The pinned agents by all the ways that they have. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { ...CLI, name: 'claude', agent: 'claude', adapter: 'claude-cli', shell: 'Bash' },
  { ...CLI, name: 'codex', agent: 'codex', adapter: 'codex-cli', shell: 'exec_command' },
  {
    ...CLI,
    name: 'pi',
    agent: 'pi',
    adapter: 'pi-cli',
    shell: 'bash',
    model: 'scripted/scripted-model',
    delegates: false,
  },
  {
    ...CLI,
    name: 'gemini',
    agent: 'gemini',
    adapter: 'gemini-cli',
    shell: 'run_shell_command',
    model: 'gemini-2.5-flash',
    steers: false,
    delegates: false,
    silentAt: [429, 500],
  },
  {
    ...CLI,
    name: 'opencode',
    agent: 'opencode',
    adapter: 'opencode-cli',
    shell: 'bash',
    steers: false,
    silentAt: [429, 500],
  },
  { ...ACP, name: 'claude over ACP', agent: 'claude-agent-acp', adapter: 'claude-agent-acp', shell: 'Bash' },
  { ...ACP, name: 'codex over ACP', agent: 'codex-acp', adapter: 'codex-acp', shell: 'exec_command' },
  {
    ...ACP,
    name: 'gemini over ACP',
    agent: 'gemini',
    adapter: 'gemini',
    args: ['--acp', ...GEMINI],
    shell: 'run_shell_command',
    silentAt: [429, 500],
  },
  {
    ...ACP,
    name: 'opencode over ACP',
    agent: 'opencode',
    adapter: 'opencode',
    args: ['acp'],
    shell: 'bash',
    silentAt: [429, 500],
  },
];

/** The agent as the settings define it, with a home of its own below `homes`. */
export function settingsOf(known: KnownAgent, folder: string, homes: string, modelUrl: string): AgentSettings {
  const { agent, runner, adapter, model, name } = known;
  const { command, args, env } = realProgram(agent, folder, join(homes, name.replaceAll(' ', '-')), modelUrl);
  const more = model === undefined ? {} : { model };
  return { runner, adapter, command, args: [...args, ...known.args], env: { ...env }, ...more };
}

/** Arguments of its own shell tool. */
export function shellArguments({ agent }: KnownAgent, command: string): Readonly<Record<string, unknown>> {
  const isCodex = agent === 'codex' || agent === 'codex-acp';
  return isCodex ? { cmd: command, yield_time_ms: 60_000 } : { command, description: 'Does it' };
}
