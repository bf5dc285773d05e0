import { constants, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** Appends a line of JSON to a private file, through no link (D7). Rejects with the system's error. */
export async function appendLine(folder: string, name: string, value: unknown): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = await open(join(folder, name), APPEND, 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value)}\n`);
  } finally {
    await file.close();
  }
}
