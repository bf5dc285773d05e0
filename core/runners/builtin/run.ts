import type { Runner } from '../contract.ts';

/** Executes a run on our own agent loop. Everything it needs is loaded here, at the first use: other workers do without. */
export const runBuiltin: Runner = async (assignment, port) => {
  const { openLoop } = await import('./loop/open-loop.ts');
  const loop = await openLoop(assignment, port);
  return loop.run();
};
