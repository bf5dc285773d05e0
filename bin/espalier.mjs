#!/usr/bin/env node
/** The `espalier` command: the built command line on a Node that can run it. */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { useNewEnoughNode } from './setup/node.mjs';
import { inRoot } from './setup/root.mjs';

/** Exit status for a fault of the environment. */
const ENVIRONMENT = 3;

if (await useNewEnoughNode(import.meta.url)) {
  const main = inRoot('dist', 'cli', 'main.js');
  if (existsSync(main)) {
    // Compiled code is kept between starts; where it cannot be written this does nothing.
    module.enableCompileCache(inRoot('dist', '.compile-cache'));
    await import(pathToFileURL(main).href);
  } else {
    console.error('espalier: the build is missing: run `npm run build` (or `npm start`) first.');
    process.exitCode = ENVIRONMENT;
  }
}
