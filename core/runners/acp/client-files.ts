import { openInside } from '../../workspace/containment/open-inside.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import { writeInside } from '../../workspace/containment/write-inside.ts';
import type { CallLog } from './call-log.ts';
import { RequestError } from './connection.ts';
import type { Permissions } from './permissions.ts';
import { numberOf, textOf, type Fields } from './wire.ts';

/** Bytes of a file that is read for an agent at once. */
const LARGEST = 16 * 1024 * 1024;

/** The files of the workspace as an agent reaches them through us: nothing outside of it, links resolved (A3). */
export class ClientFiles {
  readonly #workspace: string;
  readonly #permissions: Permissions;
  readonly #calls: CallLog;

  constructor(workspace: string, permissions: Permissions, calls: CallLog) {
    this.#workspace = workspace;
    this.#permissions = permissions;
    this.#calls = calls;
  }

  /** `fs/read_text_file`: the whole file, or some of its lines, counted from 1. */
  async read(params: Fields): Promise<object> {
    const path = textOf(params['path']) ?? '';
    const opened = await openInside(this.#workspace, path);
    if (!opened.ok) {
      if (opened.error.code === 'not_found') throw RequestError.resourceNotFound(path);
      throw RequestError.invalidParams(undefined, opened.error.message);
    }
    const { handle, size, relative } = opened.value;
    try {
      if (size > LARGEST) throw RequestError.invalidParams(undefined, `"${path}" has more than ${LARGEST} bytes.`);
      const content = (await handle.readFile()).toString('utf8');
      this.#calls.file('read', relative);
      return { content: linesOf(content, numberOf(params['line']), numberOf(params['limit'])) };
    } finally {
      await handle.close();
    }
  }

  /** `fs/write_text_file`: the whole file, if the permission mode or a person allows it. */
  async write(params: Fields): Promise<object> {
    const path = textOf(params['path']) ?? '';
    const { content } = params;
    if (typeof content !== 'string') throw RequestError.invalidParams(undefined, 'There is no content.');
    const place = await this.#place(path);
    if (!(await this.#permissions.allowsWrite(place))) throw refused();
    const written = await writeInside(this.#workspace, path, Buffer.from(content));
    if (!written.ok) throw RequestError.invalidParams(undefined, `Nothing was written: ${written.error.message}`);
    this.#calls.file('write', written.value.relative);
    return {};
  }

  /** The path as permissions know it. */
  async #place(path: string): Promise<string> {
    const place = await resolveInside(this.#workspace, path, { forWrite: true });
    if (!place.ok) throw RequestError.invalidParams(undefined, `Nothing was written: ${place.error.message}`);
    return place.value.relative;
  }
}

/** What an agent is told that may not. */
export function refused(): RequestError {
  return RequestError.invalidRequest(undefined, 'Permission was denied. Do not try to get around this.');
}

function linesOf(content: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return content;
  const from = Math.max(0, (line ?? 1) - 1);
  return content
    .split('\n')
    .slice(from, limit === null ? undefined : from + limit)
    .join('\n');
}
