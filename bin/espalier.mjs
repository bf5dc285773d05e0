#!/usr/bin/env node
/** The `espalier` command: the built command line on a Node that can run it. */
import { isNewEnough } from './setup/node-version.mjs';

/** Exit status for a fault of the environment. */
const ENVIRONMENT = 3;

if (isNewEnough(process.versions.node)) await start();
else {
  const { useNewEnoughNode } = await import('./setup/node.mjs');
  await useNewEnoughNode(import.meta.url);
}

async function start() {
  // Not imported: the view that an ES module has of them loads everything that is behind their names, which takes each start several milliseconds.
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const main = new URL('../dist/cli/main.js', import.meta.url);
  if (!existsSync(main)) {
    console.error('espalier: the build is missing: run `npm run build` (or `npm start`) first.');
    process.exitCode = ENVIRONMENT;
    return;
  }
  // Compiled code is kept between starts; where it cannot be written this does nothing.
  enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
  await import(main.href);
}
