import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that agents start: bundled beside the bundle that this runs in, or the source when this runs from source. */
export function bridgeProgram(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const source = join(here, 'program.ts');
  if (import.meta.url.endsWith('.ts')) return source;
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const bundled = join(folder, 'mcp', 'bridge.js');
    if (existsSync(bundled)) return bundled;
  }
  throw new Error(`no bundled bridge program above ${here}`);
}
