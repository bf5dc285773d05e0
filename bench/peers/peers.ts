import type { RealAgent } from '../../core/testing/real-agents.ts';

/** A coding agent of others, run once for one task as its users do in scripts. */
export interface Peer {
  readonly agent: RealAgent;
  readonly name: string;
  /** What makes it carry out one task and end. */
  readonly args: readonly string[];
}

const TASK = 'Say that it is done';

export const PEERS: readonly Peer[] = [
  { agent: 'claude', name: 'claude --bare --print', args: ['--bare', '--print', TASK] },
  {
    agent: 'codex',
    name: 'codex exec',
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
  },
  { agent: 'opencode', name: 'opencode run', args: ['run', TASK] },
  { agent: 'pi', name: 'pi --print', args: ['--provider', 'scripted', '--model', 'scripted-model', '--print', TASK] },
];
