import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealAgent } from '../../core/testing/real-agents.ts';
import { FAN_OUT_GOAL } from '../measure/model-messages.ts';

/** A coding agent of others, run as its users do in scripts. */
export interface Peer {
  readonly agent: RealAgent;
  readonly name: string;
  /** Where it is pinned: see `bin/setup/agents.mjs`. */
  readonly set: 'all' | 'peers';
  /** What makes it carry out one task and end, or all of them when it `delegates`. */
  readonly args: readonly string[];
  /** One process of it has children of its own, as many as there are tasks. */
  readonly delegates?: true;
  /** Completes its home. `folder`: where its set is installed. */
  readonly prepare?: (folder: string, home: string) => void;
}

const TASK = 'Say that it is done';
const PI = ['--provider', 'scripted', '--model', 'scripted-model', '--print'];

export const PEERS: readonly Peer[] = [
  { agent: 'claude', name: 'claude --bare --print', set: 'all', args: ['--bare', '--print', TASK] },
  {
    agent: 'codex',
    name: 'codex exec',
    set: 'all',
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
  },
  { agent: 'opencode', name: 'opencode run', set: 'all', args: ['run', TASK] },
  { agent: 'pi', name: 'pi --print', set: 'all', args: [...PI, TASK] },
  {
    agent: 'pi',
    name: 'pi-subagents, runs.all',
    set: 'peers',
    args: [...PI, FAN_OUT_GOAL],
    delegates: true,
    prepare(folder, home) {
      mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
      const packages = [join(folder, 'node_modules', 'pi-subagents')];
      writeFileSync(join(home, '.pi', 'agent', 'settings.json'), JSON.stringify({ packages }));
    },
  },
];
