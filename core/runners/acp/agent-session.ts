import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { RunReport } from '../../protocol/report.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Bridge } from '../../mcp/bridge/open-bridge.ts';
import { oneLine, reasonInWords, reasonOfKind } from '../agent-failure.ts';
import { ownToolNames } from '../own-tools.ts';
import { givenServers, pairs, type GivenServers } from './given-servers.ts';
import { AgentGone } from './agent-gone.ts';
import type { AcpConnection } from './connection.ts';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './wire.ts';

/** Why a run cannot go on. */
export type Failure = NonNullable<RunReport['error']>;

const PROTOCOL = 1;
const AUTH_REQUIRED = -32_000;

/** What a session is opened with. */
export interface SessionOrder {
  readonly assignment: Assignment;
  readonly profile: AgentProfile;
  readonly bridge: Bridge | null;
  readonly version: string;
  /** The agent's own session to go on with; null for a new one. */
  readonly resume: string | null;
}

/** A session of an agent, ready for its first message. */
export interface OpenedSession {
  readonly sessionId: string;
  /** False when an earlier session could not be had, and this is a new one. */
  readonly resumed: boolean;
  /** The agent has a request of its own that puts a text into its turn. */
  readonly steers: boolean;
  /** What of the order it does not offer, for people. */
  readonly notes: readonly string[];
}

/** Opens the protocol and a session in the workspace, with our server, the mode that fits the permission, and the model that was asked for. */
export async function openSession(
  connection: AcpConnection,
  order: SessionOrder,
): Promise<Result<OpenedSession, Failure>> {
  let hello: Fields;
  let session: Fields;
  let given: GivenServers;
  let resumed = false;
  try {
    hello = await connection.request('initialize', helloParams(order));
    given = await givenServers(hello, order);
    ({ session, resumed } = await enter(connection, hello, { ...order, servers: given.servers }));
  } catch (cause) {
    return err(failureOf(cause, order.profile));
  }
  const sessionId = resumed ? order.resume : textOf(session['sessionId']);
  if (sessionId === null) return err({ reason: 'bad_request', message: 'The agent opened a session without an id.' });
  const model = await chooseModel(connection, sessionId, session, order);
  if (!model.ok) return model;
  const notes = [...given.notes, ...model.value, ...(await chooseMode(connection, sessionId, session, order))];
  return ok({ sessionId, resumed, steers: canSteer(hello), notes });
}

function helloParams({ version }: SessionOrder): object {
  return {
    protocolVersion: PROTOCOL,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    clientInfo: { name: 'espalier', title: 'Espalier', version },
  };
}

async function enter(
  connection: AcpConnection,
  hello: Fields,
  order: SessionOrder & Pick<GivenServers, 'servers'>,
): Promise<{ session: Fields; resumed: boolean }> {
  const params = sessionParams(order);
  const { resume } = order;
  const capabilities = fieldsOf(hello['agentCapabilities']);
  if (resume !== null) {
    const ways = [
      ...(fieldsOf(capabilities['sessionCapabilities'])['resume'] == null ? [] : ['session/resume']),
      ...(capabilities['loadSession'] === true ? ['session/load'] : []),
    ];
    for (const way of ways) {
      const session = await connection.request(way, { ...params, sessionId: resume }).catch(() => null);
      if (session !== null) return { session, resumed: true };
    }
  }
  return { session: await connection.request('session/new', params), resumed: false };
}

function sessionParams({ assignment, bridge, profile, servers }: SessionOrder & Pick<GivenServers, 'servers'>): object {
  const ours =
    bridge === null ? [] : [{ ...bridge.server, args: [...bridge.server.args], env: pairs(bridge.server.env) }];
  const ceiling = ceilingOf(assignment, profile);
  return {
    cwd: assignment.workspace,
    mcpServers: [...ours, ...servers],
    ...(ceiling === null ? {} : { _meta: ceiling }),
  };
}

/** The ceiling of tools in the words of Claude's adapter, the only one that has any for it (K3). */
function ceilingOf(assignment: Assignment, profile: AgentProfile): object | null {
  const tools = profile.ceiling.by === 'enforced' ? ownToolNames(assignment, profile) : null;
  return tools === null ? null : { claudeCode: { options: { tools } } };
}

/** Sets the first of the modes for the permission that the agent offers; without one its own default stays, and we answer what it asks. */
async function chooseMode(
  connection: AcpConnection,
  sessionId: string,
  session: Fields,
  { assignment, profile }: SessionOrder,
): Promise<string[]> {
  const wanted = profile.modes[assignment.permission] ?? [];
  const modes = fieldsOf(session['modes']);
  const offered = listOf(modes['availableModes']).map(({ id }) => id);
  for (const modeId of wanted) {
    if (modes['currentModeId'] === modeId) return [];
    if (!offered.includes(modeId)) continue;
    const done = await connection.request('session/set_mode', { sessionId, modeId }).catch(() => null);
    if (done !== null) return [];
  }
  if (assignment.permission !== 'plan' || wanted.length === 0 || offered.length === 0) return [];
  return ['The agent offers no mode in which it only reads; what it asks for beyond that is refused.'];
}

interface Choice {
  readonly values: readonly string[];
  readonly current: string | null;
  set(value: string): Promise<unknown>;
}

/** How the agent's model is chosen, by whichever way it offers; null when it offers none. */
function modelChoice(connection: AcpConnection, sessionId: string, session: Fields): Choice | null {
  const option = listOf(session['configOptions']).find(
    ({ category, type }) => category === 'model' && type === 'select',
  );
  if (option !== undefined) return configChoice(connection, sessionId, option);
  const models = fieldsOf(session['models']);
  const values = listOf(models['availableModels']).flatMap(({ modelId }) => textOf(modelId) ?? []);
  if (values.length === 0) return null;
  return {
    values,
    current: textOf(models['currentModelId']),
    set: (modelId) => connection.request('session/set_model', { sessionId, modelId }),
  };
}

function configChoice(connection: AcpConnection, sessionId: string, option: Fields): Choice {
  const groups = listOf(option['options']);
  const flat = groups.flatMap((one) => (one['value'] === undefined ? listOf(one['options']) : [one]));
  return {
    values: flat.flatMap(({ value }) => textOf(value) ?? []),
    current: textOf(option['currentValue']),
    set: (value) => connection.request('session/set_config_option', { sessionId, configId: option['id'], value }),
  };
}

/** An explicit model never silently becomes another (R8). */
async function chooseModel(
  connection: AcpConnection,
  sessionId: string,
  session: Fields,
  { assignment, profile }: SessionOrder,
): Promise<Result<string[], Failure>> {
  const effort = await chooseEffort(connection, sessionId, session, assignment);
  const wanted = assignment.model ?? assignment.agent.model ?? null;
  if (wanted === null) return ok(effort);
  const choice = modelChoice(connection, sessionId, session);
  const refuse = (why: string): Result<string[], Failure> =>
    err({ reason: 'model_not_found', message: `The model "${wanted}" cannot be had from ${profile.name}: ${why}` });
  if (choice === null)
    return refuse('it lets nobody choose. Choose it in its own configuration, and leave "model" out.');
  if (choice.current === wanted) return ok(effort);
  const value =
    choice.values.find((one) => one === wanted) ?? choice.values.find((one) => one.startsWith(`${wanted}/`));
  if (value === undefined) return refuse(`it offers ${choice.values.slice(0, 20).join(', ')}.`);
  try {
    await choice.set(value);
    return ok(effort);
  } catch (cause) {
    return refuse(failureOf(cause, profile).message);
  }
}

async function chooseEffort(
  connection: AcpConnection,
  sessionId: string,
  session: Fields,
  { effort }: Assignment,
): Promise<string[]> {
  if (effort === null) return [];
  const option = listOf(session['configOptions']).find(({ category }) => category === 'thought_level');
  const choice = option === undefined ? null : configChoice(connection, sessionId, option);
  const done = choice?.values.includes(effort) ? await choice.set(effort).catch(() => null) : null;
  return done === null ? [`The agent has no effort "${effort}"; its own stays.`] : [];
}

function canSteer(hello: Fields): boolean {
  const metas = [fieldsOf(hello['_meta']), fieldsOf(fieldsOf(hello['agentCapabilities'])['_meta'])];
  return metas.some(
    (meta) => meta['steering'] !== undefined && meta['steering'] !== null && meta['steering'] !== false,
  );
}

/** What an error of the protocol, or of the connection, says went wrong. */
export function failureOf(cause: unknown, profile: AgentProfile): Failure {
  if (cause instanceof AgentGone) return cause.failure;
  const { code, message, data } = fieldsOf(cause instanceof Error ? { ...cause, message: cause.message } : cause);
  const said = [textOf(message) ?? 'The agent answered with an error.', detailsOf(data)].filter(Boolean).join(': ');
  const isAuth = numberOf(code) === AUTH_REQUIRED;
  const { errorKind, kind } = fieldsOf(data);
  const named = reasonOfKind(errorKind ?? kind) ?? reasonInWords(said);
  const reason = named ?? (isAuth ? 'auth' : 'server_error');
  const hint = reason === 'auth' ? ` ${profile.sign_in}` : '';
  return { reason, message: `${oneLine(said)}${hint}` };
}

function detailsOf(data: unknown): string {
  const { details, message } = fieldsOf(data);
  return textOf(details) ?? textOf(message) ?? textOf(data) ?? '';
}
