import { readFile } from 'node:fs/promises';
import type { z } from 'zod';

/** Lines of JSON that a worker left in its private folder. A line that does not fit (a worker was killed while it wrote) is left out. */
export async function readLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    const parsed = schema.safeParse(parse(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // Half a line.
  }
}
