/** What other programs call tools that we have too. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  notebookread: ['read'],
  ls: ['ls'],
  glob: ['glob'],
  grep: ['grep'],
  edit: ['edit'],
  multiedit: ['edit'],
  notebookedit: ['edit'],
  write: ['write'],
  bash: ['bash', 'bash_output', 'bash_list', 'bash_kill'],
  bashoutput: ['bash_output'],
  killshell: ['bash_kill'],
  killbash: ['bash_kill'],
  task: ['delegate_task'],
  agent: ['delegate_task'],
};

export interface ToolWords {
  readonly tools: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Names of tools as they are written in definitions, as ours. A word that is narrower than any of our tools (`Bash(git:*)`) never widens: it is left
 * out of what is allowed, and takes the whole tool out when it is to be denied.
 */
export function toolWords(words: readonly string[], known: readonly string[], sense: 'allowed' | 'denied'): ToolWords {
  const tools = new Set<string>();
  const warnings: string[] = [];
  for (const word of words) {
    const [, name = word, narrow] = /^([^(]+)(\(.*\))?$/.exec(word) ?? [];
    const found = oursOf(name.trim(), known);
    if (found === null) {
      if (sense === 'allowed') warnings.push(`There is no tool "${word}" here; it is left out.`);
    } else if (narrow !== undefined && sense === 'allowed') {
      warnings.push(`"${word}" cannot be kept to here; it is left out.`);
    } else {
      if (narrow !== undefined) warnings.push(`"${word}" cannot be told apart here; all of ${name} is denied.`);
      for (const tool of found) tools.add(tool);
    }
  }
  return { tools: [...tools], warnings };
}

function oursOf(name: string, known: readonly string[]): readonly string[] | null {
  if (name.startsWith('mcp__')) return [name];
  // Written as we write it, it is that tool and no other.
  if (known.includes(name) && name !== 'bash') return [name];
  return OURS[name.toLowerCase()] ?? null;
}
