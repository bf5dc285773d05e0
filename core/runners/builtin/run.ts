import { usePlainHeaders } from '../../providers/stream/plain-headers.ts';
import type { Runner } from '../contract.ts';
import { openLoop } from './loop/open-loop.ts';
import { mcpTools } from './tools/mcp-tools.ts';

/** Executes a run on our own agent loop, in a process that does nothing else. */
export const runBuiltin: Runner = async (assignment, port) => {
  usePlainHeaders();
  const servers = await mcpTools(assignment, port);
  try {
    const loop = await openLoop(assignment, port, servers.tools);
    return await loop.run();
  } finally {
    await servers.close();
  }
};
