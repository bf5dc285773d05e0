import { isAbsolute, relative } from 'node:path';
import type { Assignment } from '../../../protocol/frames.ts';
import { FENCE_RULE, fence } from '../../../workspace/fences/fence.ts';
import type { Skill } from '../../../workspace/skills/load-skills.ts';

const WORKER_ROLE =
  'You are an agent that works on one task in a project folder, with tools and on your own. Nobody watches while you work and nobody answers questions, unless a message reaches you.';

const LEAD_ROLE =
  'You lead a conversation with a person about a project folder. You work with tools, give parts of the work to other agents where that helps, and answer the person.';

/** The same for every run of an agent, so that siblings share the beginning of their prompt (K1). */
const RULES = `Rules:
- Look before you change: read the files that matter, and follow the conventions that you find there.
- Do what was asked, all of it and no more. Where something is left open, choose the simplest sound way and say what you chose.
- Prefer small edits to rewriting files. Never invent paths, names or results; look them up.
- Ask for several things at once when you only read: such calls run at the same time.
- After a change, check it with the project's own means (tests, type checks, linters) where that is possible. Report failures as they are, and never claim a check that you did not run.
- When a call fails, read its error and change something before you try again. A call that was refused by a person is refused: do not get around it, go another way or say what could not be done.
- Do not commit, push, publish, install or delete anything unless the task asks for it.
- A message from a person or from whoever gave you the task, while you work, takes precedence over what was said before.
- ${FENCE_RULE}`;

const WORKER_CONTRACT = `When you are done, end with a message that calls no tool. Only this last message reaches whoever gave you the task, and they have not seen your work, so it must stand on its own: what you did and found, which files changed, which checks you ran and how they came out, and what is left open or uncertain. If you could not do the task, say so in its first sentence, and why. No greeting, no offer to do more.`;

const LEAD_CONTRACT = `End each turn with an answer that calls no tool. Say what was done and what is open; when agents that you gave work to report to you, tell the person what came of it. Results of delegations in the background reach you as messages of their own: do not wait for them by calling tools.`;

const OUTPUT_CONTRACT = `This task asks for structured output. When everything else is done, hand it over by calling report_result once, with arguments that match its schema; that ends your work.`;

/** The parts of a system prompt that come from outside. */
export interface PromptParts {
  readonly assignment: Assignment;
  /** Project instructions; empty if there are none. */
  readonly instructions: string;
  /** Skills that the run may use. */
  readonly skills: readonly Skill[];
  /** Like `linux`. */
  readonly platform: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The system prompt, most stable part first (K1): role and rules, workspace, project instructions, skills, completion and output contract, and last
 * the context of the task. What others wrote is fenced (K2). The goal is no part of it: it is the first user message.
 */
export function systemPrompt(parts: PromptParts): string {
  const { assignment, instructions, skills } = parts;
  const sections = [
    role(assignment),
    RULES,
    workspace(parts),
    instructions === ''
      ? ''
      : `Instructions of the project. Follow them where they do not contradict the above:\n${fence('instructions', instructions)}`,
    skills.length === 0 ? '' : skillList(skills, assignment.workspace),
    assignment.lead ? LEAD_CONTRACT : WORKER_CONTRACT,
    assignment.output_schema === null ? '' : OUTPUT_CONTRACT,
    taskContext(assignment),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const SKILLS =
  'Skills: instructions that the person keeps for some kinds of work. When the task is of the kind that one describes, read its file before you begin, and follow it where it does not contradict the above; what it names is in its folder. Leave the others unread.';

/** Name, description and place of each, as data (K2). A file of the workspace is named as the tools name it. */
function skillList(skills: readonly Skill[], workspace: string): string {
  const lines = skills.map(({ name, description, place }) => {
    const inside = relative(workspace, place);
    const path = inside.startsWith('..') || isAbsolute(inside) ? place : inside.replaceAll('\\', '/');
    return `- ${name}: ${description} (${path})`;
  });
  return `${SKILLS}\n${fence('skills', lines.join('\n'))}`;
}

function role({ agent, lead }: Assignment): string {
  const own = agent.prompt?.trim() ?? '';
  const common = lead ? LEAD_ROLE : WORKER_ROLE;
  return own === '' ? common : `${common}\n\n${own}`;
}

function workspace({ assignment, platform, now }: PromptParts): string {
  const lines = [
    `You work in ${assignment.workspace} (${platform}; today is ${new Date(now).toISOString().slice(0, 10)}). File tools reach nothing outside of it; paths are relative to it.`,
  ];
  if (assignment.isolated) {
    lines.push(
      'This folder is a git worktree of your own on a branch of your own; nobody else works in it. You may commit there; never switch branches or touch other worktrees.',
    );
  } else
    lines.push(
      'Others may work in the same folder at the same time: touch only what your task needs, and expect files to change.',
    );
  if (assignment.permission === 'plan') {
    lines.push('You may look but change nothing: the tools for that are not there. Answer with findings or a plan.');
  }
  return lines.join('\n');
}

function taskContext({ context, files }: Assignment): string {
  const parts: string[] = [];
  if (context !== null && context.trim() !== '') parts.push(`Context of the task:\n${fence('task_context', context)}`);
  if (files.length > 0) {
    parts.push(
      `Files that the task names; read them as needed:\n${fence('task_context', files.map((path) => `- ${path}`).join('\n'))}`,
    );
  }
  return parts.join('\n\n');
}
