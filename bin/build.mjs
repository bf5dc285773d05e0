/** `npm run build`: all programs and the web app into `dist/`. */
import { rmSync } from 'node:fs';
import { sourceHash, writeBuildStamp } from './setup/build-stamp.mjs';
import { useNewEnoughNode } from './setup/node.mjs';

if (await useNewEnoughNode(import.meta.url)) {
  const { buildPrograms, buildWebApp } = await import('./build/build-all.mjs');
  const started = performance.now();
  const hash = sourceHash();
  rmSync(new URL('../dist/.build-stamp', import.meta.url), { force: true });
  try {
    await Promise.all([buildPrograms(), buildWebApp()]);
    writeBuildStamp(hash);
    console.error(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
