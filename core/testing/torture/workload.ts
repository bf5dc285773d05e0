import { join } from 'node:path';
import type { ConversationInput, TurnInput } from '../../scripted-model/script-input.ts';
import type { Dice } from './random-plan.ts';

/** One piece of work, known by a word of its own that is in its goal, its answer, and the file that counts its executions. */
export interface Work {
  readonly id: string;
  readonly kind: 'stream' | 'tools' | 'ask' | 'nest' | 'command' | 'worktree' | 'empty' | 'failing' | 'lead';
  /** What it delegates. */
  readonly children: readonly Work[];
}

/** What is dispatched together: tasks of one set, and perhaps a lead in a conversation of its own. */
export interface Wave {
  readonly tasks: readonly Work[];
  readonly lead: Work | null;
}

const KINDS = [
  'stream',
  'stream',
  'tools',
  'ask',
  'nest',
  'nest',
  'command',
  'command',
  'worktree',
  'worktree',
  'empty',
  'failing',
] as const;

/** A busy batch of so many waves. */
export function wavesOf(dice: Dice, count: number, tasks: number): Wave[] {
  let number = 0;
  const work = (kind: Work['kind']): Work => {
    const id = `w${(number += 1)}`;
    return { id, kind, children: childrenOf(id, kind) };
  };
  return Array.from({ length: count }, (_, at) => ({
    tasks: Array.from({ length: tasks }, () => work(dice.pick(KINDS) ?? 'stream')),
    lead: at % 2 === 0 ? work('lead') : null,
  }));
}

function childrenOf(id: string, kind: Work['kind']): Work[] {
  const child = (letter: string, of: Work['kind']): Work => ({ id: `${id}${letter}`, kind: of, children: [] });
  if (kind === 'nest') return [child('a', 'stream'), child('b', 'tools')];
  if (kind !== 'lead') return [];
  return [child('a', 'tools'), { ...child('b', 'nest'), children: [child('bx', 'stream')] }];
}

/** A piece of work and everything that it delegates. */
export function allOf(work: Work): Work[] {
  return [work, ...work.children.flatMap(allOf)];
}

/** The word by which an answer is known. */
export function answerOf({ id }: Work): string {
  return `ANSWER-${id}.`;
}

/** The file that has a line for each time that the work was done. */
export function countFile(folder: string, { id }: Work): string {
  return join(folder, id);
}

/** The task's goal: words for a model, or a line for the shell. */
export function goalOf(work: Work, counts: string): string {
  const count = `echo x >> '${countFile(counts, work)}'`;
  switch (work.kind) {
    case 'command':
      return `${count}; sleep 300 & for i in 1 2 3 4 5 6 7 8; do echo "${work.id} says $i"; sleep 0.1; done`;
    case 'worktree':
      return `${count}; echo work > ${work.id}.txt; sleep 0.4; echo done`;
    case 'empty':
      return `${count}; sleep 0.2; echo nothing`;
    case 'failing':
      return `${count}; echo "no ${work.id}" >&2; sleep 0.2; exit 3`;
    case 'stream':
    case 'tools':
    case 'ask':
    case 'nest':
    case 'lead':
      return `Please do the work ${work.id} now`;
  }
}

/** The task as it stands in a batch. */
export function taskOf(work: Work, counts: string): object {
  const goal = goalOf(work, counts);
  switch (work.kind) {
    case 'command':
      return { goal, agent: 'command' };
    case 'failing':
      return { goal, agent: 'command', retry: 1 };
    case 'worktree':
    case 'empty':
      return { goal, agent: 'command', isolation: 'worktree' };
    case 'ask':
      return { goal, permission: 'ask' };
    case 'stream':
    case 'tools':
    case 'nest':
    case 'lead':
      return { goal, permission: 'auto' };
  }
}

/** How the model answers the work and all that it delegates. */
export function conversationsOf(work: Work, counts: string): ConversationInput[] {
  const own: ConversationInput = {
    name: work.id,
    match: { user: `\\b${work.id}\\b` },
    turns: turnsOf(work, counts),
    otherwise: `Noted. ${answerOf(work)}`,
  };
  return [own, ...work.children.flatMap((child) => conversationsOf(child, counts))];
}

function turnsOf(work: Work, counts: string): TurnInput[] {
  const answer: TurnInput = [{ text: `${prose(work, 120)} ${answerOf(work)}`, ...PACE }];
  const begin = { text: prose(work, 240), ...PACE };
  switch (work.kind) {
    case 'stream':
      return [[begin, { tool_call: { name: 'ls', arguments: {} } }], answer];
    case 'tools':
    case 'ask': {
      const command = `echo x >> '${countFile(counts, work)}'; for i in 1 2 3 4; do echo "line $i"; sleep 0.1; done`;
      return [[begin, { tool_call: { name: 'bash', arguments: { command } } }], answer];
    }
    case 'nest':
      return [[begin, delegate(work.children, counts, true)], answer];
    case 'lead':
      return [
        [begin, ...work.children.map((child) => delegate([child], counts, false))],
        [{ text: prose(work, 100), ...PACE }],
      ];
    case 'command':
    case 'worktree':
    case 'empty':
    case 'failing':
      return ['A program needs no model.'];
  }
}

const PACE = { chunk_size: 12, chunk_delay_ms: 20 };

function delegate(children: readonly Work[], counts: string, wait: boolean) {
  return {
    tool_call: { name: 'delegate_task', arguments: { wait, tasks: children.map((child) => taskOf(child, counts)) } },
  };
}

/** Text with characters of every width, and its place in it, so that a piece that is missing or doubled shows. */
function prose({ id }: Work, length: number): string {
  let text = '';
  for (let n = 0; text.length < length; n += 1) text += `${id}:${n} näive 日本 😀; `;
  return text;
}
