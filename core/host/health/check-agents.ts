import { isAbsolute } from 'node:path';
import type { CancelTimer, Clock } from '../../kit/clock.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { AgentDefinition, AgentHealth } from '../../protocol/agents.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import { startAgent, type AgentProcess } from '../../runners/agent-process.ts';
import type { PathOrigin } from '../core/core-options.ts';
import { findProgram } from '../../kit/process-tree/find-program.ts';

/** What looking at agents needs. */
export interface AgentCheck {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold keys of providers. */
  readonly hidden: readonly string[];
  /** Where the programs are started: no project. */
  readonly cwd: string;
  readonly clock: Clock;
  /** How a program came to be found; without it, on the PATH. */
  readonly foundBy?: PathOrigin['foundBy'];
}

/** Some start a whole runtime before they say a word. */
const VERSION_MS = 10_000;
const HANDSHAKE_MS = 20_000;
/** From the first word on; one that asks for a login says so at once. */
const SESSION_MS = 8_000;
const END_GRACE_MS = 1000;
const MOST_OUTPUT = 256 * 1024;

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const INITIALIZE = request(1, 'initialize', {
  protocolVersion: 1,
  clientCapabilities: {},
  clientInfo: { name: 'espalier', version: '0' },
});

/**
 * Looks at agents (B03, B04): whether the program of each is there and how it was found, its version, and over ACP whether it answers and is signed in. One
 * after the other, each bounded in time; nothing is remembered. Signs nobody in and sends no model request.
 */
export async function checkAgents(agents: readonly AgentDefinition[], check: AgentCheck): Promise<AgentHealth[]> {
  const found: AgentHealth[] = [];
  for (const agent of agents) {
    const profile = profileOf(agent);
    if (profile !== null) found.push(await checkAgent(profile, check, agent));
  }
  return found;
}

type Own = Pick<AgentDefinition, 'id' | 'command' | 'args' | 'env'>;

/** The same for one agent; what its own definition says of the program comes before its profile. */
export async function checkAgent(profile: AgentProfile, check: AgentCheck, own: Own = profile): Promise<AgentHealth> {
  const { program, sign_in } = profile;
  const { command = program.command, args = program.args } = own;
  const path = findProgram(command, { ...check.environment, ...own.env });
  const { name, runner, install } = profile;
  const authentication = `If it is not signed in: ${sign_in}`;
  const base = { id: own.id, name, runner, command, path, install, authentication };
  if (path === null) {
    return { ...base, found_by: null, state: 'missing', version: null, detail: missing(command, install) };
  }
  const found_by: AgentHealth['found_by'] = isAbsolute(command) ? 'setting' : (check.foundBy?.(path) ?? 'path');
  const version = await converse(path, ['--version'], check, { within: VERSION_MS, find: versionIn });
  const known = { ...base, found_by, version: version.ok ? version.value : null };
  if (runner === 'acp') return { ...known, ...(await shakeHands(path, args, sign_in, check)) };
  if (version.ok) return { ...known, state: 'ready', detail: 'It answers.' };
  return { ...known, state: 'faulty', detail: `"${path} --version" failed: ${version.error}` };
}

function missing(command: string, install: string): string {
  const where = isAbsolute(command) ? 'at that path' : 'on the PATH and in the folders of installers';
  return `No program "${command}" ${where}. To install it: ${install}. Its whole path can be set as the agent's command.`;
}

type Shaken = Pick<AgentHealth, 'state' | 'detail'> & { readonly authentication?: string };

/** Whether it speaks ACP, and then whether it opens a session: that is refused where it is not signed in. */
async function shakeHands(path: string, args: readonly string[], sign_in: string, check: AgentCheck): Promise<Shaken> {
  let answered = false;
  const find: Conversation['find'] = (output, { write, endIn }) => {
    const first = replyIn(output, 1);
    if (first === null || first.type === 'error') return first === null ? null : 'refused';
    if (!answered) {
      answered = true;
      write(request(2, 'session/new', { cwd: check.cwd, mcpServers: [] }));
      endIn(SESSION_MS);
    }
    const second = replyIn(output, 2);
    if (second === null) return null;
    return second.type === 'result' ? 'session' : second.asksForLogin ? 'login' : 'no session';
  };
  const shaken = await converse(path, args, check, { within: HANDSHAKE_MS, input: INITIALIZE, find });
  const word = shaken.ok ? shaken.value : null;
  if (word === 'session') return { state: 'ready', detail: 'It answers over ACP.', authentication: NO_LOGIN_ASKED };
  if (word === 'login') {
    const detail = `It answers over ACP, and asks for a login. ${sign_in}`;
    return { state: 'sign_in', detail, authentication: 'Not signed in.' };
  }
  // That it opens no session here may have its reasons; a run tells more.
  if (answered) return { state: 'ready', detail: 'It answers over ACP.' };
  const why = shaken.ok ? 'it refused the first request' : shaken.error;
  return { state: 'faulty', detail: `"${[path, ...args].join(' ')}" does not speak ACP: ${why}` };
}

/** Some open a session and ask only at the first prompt. */
const NO_LOGIN_ASKED = 'It opens a session without asking for a login.';

interface Conversation {
  /** Milliseconds. */
  readonly within: number;
  readonly input?: string;
  /** What was waited for, in what it has written so far. */
  find(output: string, answer: { write(text: string): void; endIn(ms: number): void }): string | null;
}

/** Starts a program, waits for a word, and ends it with all that it started. */
async function converse(
  command: string,
  args: readonly string[],
  { environment, hidden, cwd, clock }: AgentCheck,
  { within, input, find }: Conversation,
): Promise<Result<string, string>> {
  const heard = Promise.withResolvers<string | null>();
  const timers: CancelTimer[] = [];
  const endIn = (ms: number): void => void timers.push(clock.after(ms, () => heard.resolve(null)));
  let output = '';
  let agent: AgentProcess | null = null;
  const look = (): void => {
    const word = find(output, { write: (text) => void agent?.write(text), endIn });
    if (word !== null) heard.resolve(word);
  };
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
      if (agent !== null) look();
    },
  });
  if (!started.ok) return err(started.error.message);
  agent = started.value;
  endIn(within);
  if (input !== undefined) agent.write(input);
  look();
  const exited = agent.exited.then(({ code, signal }) => {
    heard.resolve(null);
    return `it ended with ${code === null ? String(signal) : `exit ${code}`}`;
  });
  const word = await heard.promise;
  for (const cancel of timers) cancel();
  const said = agent.stderr.split('\n').at(-1) ?? '';
  const how = await Promise.race([exited, Promise.resolve(`no answer within ${within / 1000} s`)]);
  await agent.end({ graceMs: END_GRACE_MS });
  return word === null ? err(said === '' ? how : `${how}: ${plainText(said)}`) : ok(word);
}

function versionIn(output: string): string | null {
  return /\d+\.\d+[\w.+-]*(?=\s)/.exec(output)?.[0] ?? null;
}

interface Reply {
  readonly type: 'result' | 'error';
  readonly asksForLogin: boolean;
}

/** Which kind of reply to a request has come; lines that are no JSON are banners. */
function replyIn(output: string, id: number): Reply | null {
  const ours = new RegExp(`"id"\\s*:\\s*${id}\\b`);
  for (const line of output.split('\n').slice(0, -1)) {
    if (!ours.test(line)) continue;
    if (/"result"\s*:/.test(line)) return { type: 'result', asksForLogin: false };
    if (/"error"\s*:/.test(line))
      return { type: 'error', asksForLogin: /-32000\b|authenticat|log ?in|sign ?in/i.test(line) };
  }
  return null;
}
