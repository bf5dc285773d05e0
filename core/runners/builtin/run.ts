import { usePlainHeaders } from '../../providers/stream/plain-headers.ts';
import type { Runner } from '../contract.ts';
import { openLoop } from './loop/open-loop.ts';

/** Executes a run on our own agent loop, in a process that does nothing else. */
export const runBuiltin: Runner = async (assignment, port) => {
  usePlainHeaders();
  const loop = await openLoop(assignment, port);
  return loop.run();
};
