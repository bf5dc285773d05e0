import { createHash } from 'node:crypto';

/** The shortest limit of the providers. */
const MOST = 64;

/** The name of a server's tool for models: `mcp__server__tool`, in the characters and length that every provider takes. */
export function toolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const name = `mcp__${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= MOST && !taken.has(name)) return name;
  const mark = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, 8);
  return `${name.slice(0, MOST - mark.length - 1)}_${mark}`;
}
