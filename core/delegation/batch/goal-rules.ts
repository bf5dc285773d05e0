import { shorterThan } from '../lines/graphemes.ts';
import { codeSpans } from './code-spans.ts';
import { quote } from './problem.ts';

/** Graphemes that a goal needs beside others (S3). */
const SHORTEST = 10;

/** What else the goal rules depend on. */
export interface GoalSituation {
  /** Tasks of the whole set. */
  readonly count: number;
  /** The task is for the runner `command`: its goal is a line for a shell. */
  readonly command: boolean;
}

/** What is wrong with a goal, as the rest of a sentence that begins with its task, and what to do. */
export interface GoalMistake {
  readonly message: string;
  readonly fix: string;
}

const PLACEHOLDER = /^(?:todo|tbd|fixme|placeholder|task(?:[\s#_-]*\d+)?)[\s.:!?…]*$/i;

const WORD = '[\\p{L}\\p{M}\\p{N}]+';
const WORDS = `${WORD}(?:[ _-]${WORD})+`;
/** Two or more words in angle or curly brackets; one word alone is a type, a tag or a format string. */
const TEMPLATE = new RegExp(`(?<!\\$)(?:<${WORDS}>|\\{${WORDS}\\})`, 'u');

function templateMarker(goal: string): string | null {
  for (const span of codeSpans(goal)) {
    const marker = span.code ? null : TEMPLATE.exec(span.text)?.[0];
    if (marker) return marker;
  }
  return null;
}

function templateFix(marker: string, command: boolean): string {
  const inner = marker.slice(1, -1);
  if (!command) return `Fill it in; if it is meant literally, put it in backticks: \`${marker}\`.`;
  // In a shell backticks run a program.
  return marker.startsWith('{')
    ? `Fill it in; if it is meant literally, put a space after the bracket: { ${inner} }.`
    : 'Fill it in; if it is meant literally, put the command in a script.';
}

/** The rules for the text of a goal (S3); null when it keeps all of them. */
export function goalMistake(goal: string, { count, command }: GoalSituation): GoalMistake | null {
  const text = goal.trim();
  if (text === '') return { message: 'the goal is blank', fix: 'Say what is to be done.' };
  if (PLACEHOLDER.test(text)) {
    return { message: `the goal is only a placeholder (${quote(text)})`, fix: 'Say what is to be done.' };
  }
  const marker = templateMarker(goal);
  if (marker !== null) {
    const message = `the goal has a template marker that nobody filled in: ${quote(marker)} (text in backticks is not looked at)`;
    return { message, fix: templateFix(marker, command) };
  }
  if (count > 1 && !command && shorterThan(text, SHORTEST)) {
    const fix = `Say in at least ${SHORTEST} characters what is to be done.`;
    return { message: `the goal ${quote(text)} is too short to tell it from the other tasks`, fix };
  }
  return null;
}
