import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { batchText } from '../batch-text.ts';
import { whyNot } from '../place/named-path.ts';
import { BATCH_MAXIMA } from '../../protocol/batch.ts';
import type { DesktopCommand } from '../../protocol/desktop.ts';
import type { ApiClient } from '../serve/local-connection.ts';
import type { LaunchRequest } from './launch.ts';

/** What the page is to do for a request: a folder becomes a project, a file a batch in the editor, a link is looked up. Never throws. */
export async function commandFor(
  request: LaunchRequest,
  client: Pick<ApiClient, 'runs' | 'sets' | 'conversations'>,
): Promise<DesktopCommand> {
  return request.type === 'node' ? nodeCommand(request.id, client) : pathCommand(request.path);
}

async function nodeCommand(
  id: string,
  client: Pick<ApiClient, 'runs' | 'sets' | 'conversations'>,
): Promise<DesktopCommand> {
  const looks = [
    async () => {
      const { conversation_id, delegation_id, run_id } = (await client.runs.show({ id })).run;
      return { conversation_id, delegation_id, run_id };
    },
    async () => {
      const { conversation_id, delegation_id } = (await client.sets.show({ id })).set;
      return { conversation_id, delegation_id, run_id: null };
    },
    async () => {
      const { conversation_id } = (await client.conversations.show({ id })).conversation;
      return { conversation_id, delegation_id: null, run_id: null };
    },
  ];
  for (const look of looks) {
    try {
      return { type: 'open_node', ...(await look()) };
    } catch {
      // Not of this kind, or not there: the next one knows, or nobody does.
    }
  }
  return { type: 'tell', title: 'The link leads to nothing', detail: `There is no ${id} in this data folder.` };
}

async function pathCommand(path: string): Promise<DesktopCommand> {
  const failed = (detail: string): DesktopCommand => ({
    type: 'tell',
    title: `${basename(path)} was not opened`,
    detail,
  });
  try {
    const found = await stat(path);
    if (found.isDirectory()) return { type: 'open_project', path };
    if (!found.isFile()) return failed(`${path} is neither a file nor a folder.`);
    if (found.size > BATCH_MAXIMA.batchBytes) return failed(`${path} is too large for a batch.`);
    // Not to hang on a pipe that took the file's place.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const text = batchText(await file.readFile());
    if (!text.ok) return failed(`${path}: ${text.error.message} ${text.error.fix}`);
    return { type: 'open_batch', name: basename(path), text: text.value };
  } catch (error) {
    return failed(`${path} ${whyNot(path, error, 'file')}`);
  }
}
