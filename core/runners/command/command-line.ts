import { cmdArguments } from '../../kit/process-tree/cmd-line.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';

/** A program with its arguments. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Standard input; absent means none. */
  readonly input?: string;
}

const GOAL = '{goal}';

/**
 * What runs for a goal: the agent's argv template with the goal as a part of one argument, never split again; a template that does not name
 * it gets the goal on standard input. Without a template the goal is a line for the shell.
 */
export function commandLine(
  agent: Pick<AgentDefinition, 'command' | 'args'>,
  goal: string,
  host: { readonly platform: NodeJS.Platform; readonly environment: Readonly<Record<string, string>> },
): CommandLine {
  const { command, args = [] } = agent;
  if (command === undefined) return shellLine(goal, host);
  // A function, because a text would have its dollar signs expanded.
  const filled = args.map((argument) => argument.replaceAll(GOAL, () => goal));
  return args.some((argument) => argument.includes(GOAL))
    ? { file: command, args: filled }
    : { file: command, args: filled, input: goal };
}

function shellLine(goal: string, { platform, environment }: Parameters<typeof commandLine>[2]): CommandLine {
  if (platform === 'win32') return { file: environment['ComSpec'] ?? 'cmd.exe', args: cmdArguments(goal) };
  return { file: '/bin/sh', args: ['-c', goal] };
}
