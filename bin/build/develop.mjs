import { spawn } from 'node:child_process';
import * as esbuild from 'esbuild';
import { build as buildWithVite } from 'vite';
import { environmentWith } from '../setup/node.mjs';
import { inRoot } from '../setup/root.mjs';
import { writeStarter } from './build-all.mjs';
import { BUNDLES, esbuildOptions } from './bundles.mjs';

/** One save touches several files and bundles: wait until it is quiet before the restart. */
const QUIET_MS = 150;
/** How long a core may take to end politely before a restart kills it. */
const STOP_MS = 8_000;

/**
 * Watches, builds, serves; until it is told to end.
 * @param {string[]} args passed to `espalier serve`
 */
export async function develop(args) {
  const server = restartable(args);
  for (const bundle of BUNDLES) writeStarter(bundle);
  /** The first start waits for all programs. */
  const unbuilt = new Set(BUNDLES);
  const contexts = await Promise.all(
    BUNDLES.map((bundle) => {
      const built = () => {
        unbuilt.delete(bundle);
        if (unbuilt.size === 0) server.restartSoon();
      };
      return esbuild.context({ ...esbuildOptions(bundle), plugins: [onBuilt(built)] });
    }),
  );
  const webApp = await buildWithVite({ configFile: inRoot('vite.config.ts'), logLevel: 'warn', build: { watch: {} } });
  await Promise.all(contexts.map((context) => context.watch()));
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await server.stop();
    await Promise.all(contexts.map((context) => context.dispose()));
    if ('close' in webApp) await webApp.close();
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, end);
}

/**
 * @param {() => void} built
 * @returns {import('esbuild').Plugin}
 */
function onBuilt(built) {
  return {
    name: 'on-built',
    setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length === 0 ? built() : undefined)),
  };
}

/** @param {string[]} args */
function restartable(args) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let turn = Promise.resolve();
  let stopped = false;

  const stopChild = async () => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    const kill = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
    running.kill('SIGTERM');
    await ended;
    clearTimeout(kill);
  };
  const restart = async () => {
    await stopChild();
    if (stopped) return;
    const env = environmentWith(process.execPath, { ESPALIER_HOME: inRoot('.espalier-dev') });
    // A group of its own: a terminal's Ctrl-C reaches it once, through us.
    child = spawn(process.execPath, [inRoot('bin', 'espalier.mjs'), 'serve', ...args], {
      stdio: 'inherit',
      detached: true,
      env,
    });
  };
  return {
    restartSoon() {
      clearTimeout(timer);
      timer = setTimeout(() => (turn = turn.then(restart)), QUIET_MS);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
      await stopChild();
    },
  };
}
