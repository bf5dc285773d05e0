import { join } from 'node:path';
import { serveStdio } from '../../core/host/outside/serve-stdio.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { toFailure } from '../core/api-failure.ts';
import { refuseFaultyHome } from '../core/home-fault.ts';
import { existingFolder } from '../core/named-folder.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { clientConfig, type ConfiguredClient } from '../mcp/client-config.ts';
import { OutsideSession } from '../mcp/outside-session.ts';

/** `espalier mcp`: an MCP server on stdio with which any client delegates through Espalier; ends when the client goes. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const client = args.text('print-config') as ConfiguredClient | undefined;
  const project = existingFolder(context, args.text('project') ?? '.');
  if (client !== undefined) return printConfig(context, client, args.text('project') === undefined ? null : project);
  // Before the client is waited for, which would show it only as the failure of a call.
  refuseFaultyHome(context.home);
  let name = (): string => 'client';
  const session = new OutsideSession(context, project, () => name());
  const server = await serveStdio({
    stdin: process.stdin,
    stdout: process.stdout,
    version: context.version,
    clock: context.clock,
    connection: context.random.hex(12),
    describe: () => told(session.describe()),
    handlers: {
      call: async (callId, _, given) => {
        const { is_error, text } = await told(session.call(callId, given));
        return { isError: is_error, text };
      },
      ask: ({ title, detail }) => told(session.ask(context.random.hex(12), title, detail)),
    },
  });
  name = server.client;
  const interrupted = new Promise<void>((done) => void context.terminal.onInterrupt(done));
  await Promise.race([server.closed, interrupted]);
  await session.close();
  return EXIT.done;
}

/** What went wrong, in the words that people read. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new Error(toFailure(error).lines.join('\n'), { cause: error });
  }
}

async function printConfig(
  { terminal, root, environment }: CommandContext,
  client: ConfiguredClient,
  project: string | null,
): Promise<ExitStatus> {
  const home = environment['ESPALIER_HOME'];
  const { place, text } = clientConfig(client, {
    command: process.execPath,
    args: [join(root, 'bin', 'espalier.mjs'), 'mcp', ...(project === null ? [] : ['--project', project])],
    env: home === undefined ? {} : { ESPALIER_HOME: home },
  });
  terminal.note(`${place}:`);
  await terminal.out(`${text}\n`);
  return EXIT.done;
}
