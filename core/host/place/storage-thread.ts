import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setStorageThreadEntry } from '../../registry/reader/storage-threads.ts';

/** A bundled host has its storage thread beside it; from source the default entry is right. To be called before storage is opened. */
export function useBuiltStorageThread(packageRoot: string): void {
  const built = join(packageRoot, 'dist', 'registry', 'thread.js');
  const bundled = !import.meta.url.endsWith('.ts');
  if (bundled && existsSync(built)) setStorageThreadEntry(new URL(`file://${built}`));
}
