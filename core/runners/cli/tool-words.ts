import { text, type Json } from './json.ts';

/** What a tool of an agent does, by its name: asked for accordingly (A1). What nobody knows executes. */
export function kindOfTool(name: string): 'read' | 'edit' | 'execute' {
  if (/^(read|glob|grep|ls|list|search|view|notebook_?read|todo\w*|tool_?search|report_?findings)$/i.test(name))
    return 'read';
  if (/^(edit|multi_?edit|write|notebook_?edit|replace|write_file|apply_patch|patch)$/i.test(name)) return 'edit';
  return 'execute';
}

const LONGEST = 120;

/** One line for people about a call: `Running npm test`. */
export function toolTitle(name: string, args: Json): string {
  const command = args['command'] ?? args['cmd'];
  const path = text(args['file_path']) || text(args['path']) || text(args['filePath']) || text(args['notebook_path']);
  const line = Array.isArray(command) ? command.join(' ') : text(command);
  if (line !== '') return short(`Running ${line}`);
  if (path === '') return short(name);
  const kind = kindOfTool(name);
  return short(`${kind === 'edit' ? 'Editing' : kind === 'read' ? 'Reading' : name} ${path}`);
}

function short(line: string): string {
  const characters = Array.from(line.replace(/\s+/g, ' ').trim());
  return characters.length <= LONGEST ? characters.join('') : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** The path that a call reads or writes, if it names one. */
export function toolPath(args: Json): string | null {
  const path = args['file_path'] ?? args['filePath'] ?? args['path'] ?? args['notebook_path'];
  return typeof path === 'string' && path !== '' ? path : null;
}
