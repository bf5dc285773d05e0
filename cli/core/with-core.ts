import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { tellingWaits } from './storage-waits.ts';

/** Uses the running core, or one hosted for the time of the use: that settles what an earlier one has left before it goes (D5). */
export async function withCore<T>(context: CommandContext, use: (client: ApiClient) => Promise<T>): Promise<T> {
  const access = await context.cores.open({ attended: context.terminal.isInteractive, work: false });
  try {
    return await tellingWaits(context, access.client, use(access.client));
  } finally {
    await access.hosted?.settled();
    await access.close();
  }
}

/** Uses the running core, or one in the background that goes on with what the command begins. */
export async function withLastingCore<T>(context: CommandContext, use: (client: ApiClient) => Promise<T>): Promise<T> {
  const access = await context.cores.joinBackground();
  try {
    return await tellingWaits(context, access.client, use(access.client));
  } finally {
    await access.close();
  }
}
