import type { Runner } from '../contract.ts';
import { AcpRun } from './acp-run.ts';

/** Executes an attempt with an agent that speaks the Agent Client Protocol. */
export const runAcp: Runner = (assignment, port) => new AcpRun(assignment, port).run();
