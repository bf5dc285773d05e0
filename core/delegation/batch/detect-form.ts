import { TaskInput, BatchInput } from '../../protocol/batch.ts';
import { looksLikeHeader } from './parse-table.ts';
import type { BatchForm } from './raw-batch.ts';

const BY_EXTENSION: Record<string, BatchForm> = {
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  txt: 'text',
};

/** The form that a file name says, or null. */
function formOfName(name: string): BatchForm | null {
  const extension = /\.([A-Za-z]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? null;
}

const KEYS = [...new Set([...Object.keys(TaskInput.shape), ...Object.keys(BatchInput.shape)])].join('|');

/** `tasks:`, `- goal: …`: a mapping of ours, or a list of mappings. */
const YAML_LINE = new RegExp(`^(?:- +)?(?:${KEYS})[ \\t]*:(?:\\s|$)`);

/** An item in quotes: nobody writes a Markdown list so. */
const YAML_QUOTED = /^- +(?:"[^"].*"|'[^'].*')$/;

const LIST_LINE = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;

/** `[ui] Fix the button` and `[link](url)` are goals, other text that begins with a bracket is meant as JSON. */
const BRACKETED_WORD = /^\[[^\]\n"{}[]*\][ \t]*\S/;

function tableOf(header: string): BatchForm | null {
  if (header.includes('\t') && looksLikeHeader(header, '\t')) return 'tsv';
  return looksLikeHeader(header, ',') || looksLikeHeader(header, ';') ? 'csv' : null;
}

/** What pasted text, or a file whose name says nothing, looks like. */
function formOfText(text: string): BatchForm {
  const begin = text.trimStart();
  if (begin.startsWith('{') || (begin.startsWith('[') && !BRACKETED_WORD.test(begin))) return 'json';
  const lines = begin.split('\n', 200).filter((line) => line.trim() !== '');
  const table = tableOf(lines[0] ?? '');
  if (table !== null) return table;
  const said = lines.find((line) => !line.startsWith('#') && !/^(?:---|%YAML)/.test(line)) ?? '';
  if (YAML_LINE.test(said) || YAML_QUOTED.test(said)) return 'yaml';
  return lines.some((line) => LIST_LINE.test(line)) ? 'markdown' : 'text';
}

/** In which form a batch is written (S2): by what the caller says, else by the file name, else by how it begins. */
export function detectForm(text: string, said: { form?: BatchForm; name?: string }): BatchForm {
  return said.form ?? formOfName(said.name ?? '') ?? formOfText(text);
}
