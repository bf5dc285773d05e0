import type { Clock } from '../../kit/clock.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { AgentHealth } from '../../protocol/agents.ts';
import { AGENT_PROFILES } from '../../protocol/profiles/agent-profiles.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import { startAgent } from '../../runners/agent-process.ts';
import { findProgram } from './find-program.ts';

/** What looking at agents needs. */
export interface AgentCheck {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold keys of providers. */
  readonly hidden: readonly string[];
  /** Where the programs are started: no project. */
  readonly cwd: string;
  readonly clock: Clock;
}

/** Some start a whole runtime before they say a word. */
const VERSION_MS = 10_000;
const HANDSHAKE_MS = 20_000;
const END_GRACE_MS = 1000;
const MOST_OUTPUT = 256 * 1024;

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'espalier', version: '0' } },
})}\n`;

/**
 * Looks at every known outside agent (B03, B04): whether its program is there, its version, and over ACP whether it answers. One after the other, each
 * bounded in time; nothing is remembered. Signs nobody in and sends no model request.
 */
export async function checkAgents(check: AgentCheck): Promise<AgentHealth[]> {
  const found: AgentHealth[] = [];
  for (const profile of AGENT_PROFILES) found.push(await checkAgent(profile, check));
  return found;
}

/** The same for one agent. */
export async function checkAgent(profile: AgentProfile, check: AgentCheck): Promise<AgentHealth> {
  const { id, name, runner, program, install, sign_in } = profile;
  const path = findProgram(program.command, check.environment);
  const base = { id, name, runner, command: program.command, path };
  if (path === null) {
    const detail = `No program "${program.command}" on the PATH. To install it: ${install}.`;
    return { ...base, state: 'missing', version: null, detail };
  }
  const version = await converse(path, ['--version'], check, { within: VERSION_MS, find: versionIn });
  const known = { ...base, version: version.ok ? version.value : null };
  if (runner !== 'acp') {
    if (version.ok) return { ...known, state: 'ready', detail: `If it is not signed in: ${sign_in}` };
    return { ...known, state: 'faulty', detail: `"${path} --version" failed: ${version.error}` };
  }
  const shaken = await converse(path, program.args, check, { within: HANDSHAKE_MS, input: INITIALIZE, find: replyIn });
  if (shaken.ok && shaken.value === 'result') {
    return { ...known, state: 'ready', detail: `It answers over ACP. If it is not signed in: ${sign_in}` };
  }
  const why = shaken.ok ? 'it refused the first request' : shaken.error;
  return { ...known, state: 'faulty', detail: `"${[path, ...program.args].join(' ')}" does not speak ACP: ${why}` };
}

interface Conversation {
  /** Milliseconds. */
  readonly within: number;
  readonly input?: string;
  /** What was waited for, in what it has written so far. */
  find(output: string): string | null;
}

/** Starts a program, waits for a word, and ends it with all that it started. */
async function converse(
  command: string,
  args: readonly string[],
  { environment, hidden, cwd, clock }: AgentCheck,
  { within, input, find }: Conversation,
): Promise<Result<string, string>> {
  const heard = Promise.withResolvers<string | null>();
  let output = '';
  const started = await startAgent({
    command,
    args,
    env: toolEnvironment(environment, { runId: 'doctor', drop: hidden }),
    cwd,
    clock,
    // It gets no key; what it says is shown once and not stored.
    mask: (text) => text,
    onStderr: () => undefined,
    onStdout: (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-MOST_OUTPUT);
      const word = find(output);
      if (word !== null) heard.resolve(word);
    },
  });
  if (!started.ok) return err(started.error.message);
  const agent = started.value;
  const cancel = clock.after(within, () => heard.resolve(null));
  if (input !== undefined) agent.write(input);
  const exited = agent.exited.then(({ code, signal }) => {
    heard.resolve(null);
    return `it ended with ${code === null ? String(signal) : `exit ${code}`}`;
  });
  const word = await heard.promise;
  cancel();
  const said = agent.stderr.split('\n').at(-1) ?? '';
  const how = await Promise.race([exited, Promise.resolve(`no answer within ${within / 1000} s`)]);
  await agent.end({ graceMs: END_GRACE_MS });
  return word === null ? err(said === '' ? how : `${how}: ${plainText(said)}`) : ok(word);
}

function versionIn(output: string): string | null {
  return /\d+\.\d+[\w.+-]*(?=\s)/.exec(output)?.[0] ?? null;
}

/** Which kind of reply to the first request has come; lines that are no JSON are banners. */
function replyIn(output: string): string | null {
  for (const line of output.split('\n').slice(0, -1)) {
    if (!/"id"\s*:\s*1\b/.test(line)) continue;
    if (/"result"\s*:/.test(line)) return 'result';
    if (/"error"\s*:/.test(line)) return 'error';
  }
  return null;
}
