import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { AgentFile, AgentFileName, AgentReview, AgentText } from '../../protocol/agents.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { PROJECT_AGENT_FOLDERS, userAgentFolders } from '../../workspace/agents/agent-folders.ts';
import { digestOf } from '../../workspace/agents/load-agents.ts';
import { NO_DEFINITION, parseAgent, reviewAgent } from '../../workspace/agents/parse-agent.ts';
import { openInside, type FileState } from '../../workspace/containment/open-inside.ts';
import { removeInside } from '../../workspace/containment/remove-inside.ts';
import { writeInside } from '../../workspace/containment/write-inside.ts';
import type { Core } from './core.ts';
import { unknownProject } from './projects.ts';
import { TOOL_NAMES } from './world.ts';

/** A definition file, as a place that nothing leads out of. */
interface Place {
  readonly root: string;
  /** From the root. */
  readonly path: string;
  /** Absolute, as it is shown. */
  readonly shown: string;
  readonly source: 'user' | 'project';
}

interface Stored {
  readonly bytes: Buffer;
  readonly state: FileState;
}

/** The text of a definition file, also of one that cannot be used. */
export async function readAgentFile(core: Core, name: AgentFileName): Promise<Result<AgentText, ApiError>> {
  const place = await placeOf(core, name);
  if (!place.ok) return place;
  const stored = await read(place.value);
  if (!stored.ok) return stored;
  if (stored.value === null) return err({ code: 'not_found', message: `There is no file ${place.value.shown}.` });
  const { bytes } = stored.value;
  return ok({ path: place.value.shown, text: bytes.toString('utf8'), digest: digestOf(bytes) });
}

/** What a text would define. */
export async function reviewAgentText(
  core: Core,
  input: AgentFileName & { readonly text: string },
): Promise<Result<AgentReview, ApiError>> {
  const place = await placeOf(core, input);
  if (!place.ok) return place;
  const { source, shown } = place.value;
  return ok(await reviewAgent(input.text, { source, path: shown, knownTools: TOOL_NAMES }));
}

/** Writes a definition file if it is still what was edited. */
export async function saveAgentFile(
  core: Core,
  input: AgentFileName & { readonly text: string; readonly digest: string | null },
): Promise<Result<AgentFile, ApiError>> {
  const { project_id, text, digest } = input;
  const place = await placeOf(core, input);
  if (!place.ok) return place;
  const { root, path, shown, source } = place.value;
  const parsed = await parseAgent(text, { source, path: shown, knownTools: TOOL_NAMES });
  if (!parsed.ok) return err({ code: 'invalid_input', message: `This cannot be used as an agent. ${parsed.error}` });
  if (parsed.value === null) {
    return err({ code: 'invalid_input', message: NO_DEFINITION });
  }
  const before = await unchanged(place.value, digest);
  if (!before.ok) return before;
  const bytes = Buffer.from(text, 'utf8');
  const write = async () => {
    const written = await writeInside(root, path, bytes, { expected: before.value?.state ?? 'absent' });
    if (written.ok) return ok(null);
    const { code, message } = written.error;
    return err(code === 'changed' || code === 'exists' ? changed(shown) : ({ code: 'not_allowed', message } as const));
  };
  const done = await edit(core, project_id, path, bytes, write);
  if (!done.ok) return done;
  const file = core.agents.files(project_id).find((other) => other.path === shown);
  return file === undefined
    ? err({ code: 'not_found', message: `${shown} was written, but is gone again.` })
    : ok(file);
}

/** Deletes a definition file if it is still what was seen. */
export async function removeAgentFile(
  core: Core,
  input: AgentFileName & { readonly digest: string },
): Promise<Result<{ done: true }, ApiError>> {
  const place = await placeOf(core, input);
  if (!place.ok) return place;
  const { root, path } = place.value;
  const before = await unchanged(place.value, input.digest);
  if (!before.ok) return before;
  const done = await edit(core, input.project_id, path, null, async () => {
    if (before.value === null) return ok(null);
    const removed = await removeInside(root, path, before.value.state);
    return removed.ok ? ok(null) : err({ code: 'not_allowed', message: removed.error.message } as const);
  });
  return done.ok ? ok({ done: true }) : done;
}

/** Carries an edit out; in a project whose definitions were trusted they stay so, if nothing else of them is another one (A4). */
async function edit(
  core: Core,
  projectId: string | null,
  path: string,
  bytes: Buffer | null,
  write: () => Promise<Result<null, ApiError>>,
): Promise<Result<null, ApiError>> {
  const done = projectId === null ? await write() : await core.projects.editDefinition(projectId, path, bytes, write);
  if (done.ok) await core.agents.refresh(projectId);
  return done;
}

async function unchanged(place: Place, digest: string | null): Promise<Result<Stored | null, ApiError>> {
  const stored = await read(place);
  if (!stored.ok) return stored;
  const now = stored.value === null ? null : digestOf(stored.value.bytes);
  return now === digest ? stored : err(changed(place.shown));
}

function changed(path: string): ApiError {
  const message = `${path} changed meanwhile, so nothing was written. Read it again, and make the change there.`;
  return { code: 'conflict', message };
}

async function read({ root, path }: Place): Promise<Result<Stored | null, ApiError>> {
  const opened = await openInside(root, path);
  if (!opened.ok) {
    const { code, message } = opened.error;
    return code === 'not_found' ? ok(null) : err({ code: 'not_allowed', message });
  }
  const { handle, state } = opened.value;
  try {
    return ok({ bytes: await handle.readFile(), state });
  } finally {
    await handle.close();
  }
}

/** Only files directly in the folders of definitions are edited here. */
async function placeOf(core: Core, { project_id, path }: AgentFileName): Promise<Result<Place, ApiError>> {
  const name = /^[A-Za-z0-9_-]{1,64}$/.test(path) ? `${path}.md` : null;
  if (project_id === null) return userPlaceOf(core, path, name);
  const project = core.projects.get(project_id);
  if (project === undefined) return unknownProject(project_id);
  const inside = name === null ? relative(project.path, path).split(sep).join('/') : `.espalier/agents/${name}`;
  const isOne = PROJECT_AGENT_FOLDERS.some((folder) => dirname(inside) === folder) && /\.md$/i.test(inside);
  if (!isOne) return elsewhere(PROJECT_AGENT_FOLDERS);
  return ok({ root: project.path, path: inside, shown: join(project.path, inside), source: 'project' });
}

async function userPlaceOf(core: Core, path: string, name: string | null): Promise<Result<Place, ApiError>> {
  const folders = userAgentFolders(core.options.home, core.options.environment);
  const shown = name === null ? path : join(folders[0] ?? '', name);
  const isOne = folders.includes(dirname(shown)) && /\.md$/i.test(shown) && isAbsolute(shown);
  return isOne ? userPlace(shown) : elsewhere(folders);
}

function elsewhere(folders: readonly string[]): Result<never, ApiError> {
  return err({ code: 'not_allowed', message: `Agents are defined by .md files in ${folders.join(', ')}.` });
}

/** What the user has linked into a folder of their own is edited where it is. */
async function userPlace(shown: string): Promise<Result<Place, ApiError>> {
  await mkdir(dirname(shown), { recursive: true, mode: 0o700 });
  const real = await realpath(shown).catch(() => join(dirname(shown), basename(shown)));
  return ok({ root: dirname(real), path: basename(real), shown, source: 'user' });
}
