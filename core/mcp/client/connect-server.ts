import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import type { Clock } from '../../kit/clock.ts';
import { hostProcesses, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { stopTree } from '../../kit/process-tree/stop-tree.ts';
import { trackTree } from '../../kit/process-tree/tree-tracker.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { McpServerSettings } from '../../protocol/settings.ts';
import type { ListedTool } from './tool-lists.ts';
import { redactor } from './variables.ts';

/** A server says hello and lists its tools within so long, or it is left out. */
const START_MS = 30_000;
/** A call may take long as long as the server says that it is at it; the run's own limits end it. */
const CALL_MS = 1_200_000;
const MOST_TOOLS = 200;

/** The answer of a tool: text for the model without the server's secrets, and images. */
export interface ServerAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[];
}

/** What a call is made with. `onProgress`: the server is at work still. */
export interface CallOptions {
  readonly signal: AbortSignal;
  onProgress(): void;
}

/** A server that is connected. */
export interface ConnectedServer {
  readonly name: string;
  readonly tools: readonly ListedTool[];
  /** False once the server has gone. */
  readonly isOpen: boolean;
  /** Never rejects: what goes wrong is an answer. */
  call(tool: string, args: object, options: CallOptions): Promise<ServerAnswer>;
  /** Ends the connection, and the program that was started for it. */
  close(): Promise<void>;
}

/** Where programs of servers run. */
export interface ServerPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly version: string;
  readonly clock: Clock;
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** Starts a server, or connects to it, and lists its tools. The error says in words what is wrong with it. */
export async function connectServer(
  name: string,
  server: McpServerSettings,
  place: ServerPlace,
): Promise<Result<ConnectedServer, string>> {
  const redact = redactor(server);
  const client = new Client({ name: 'espalier', version: place.version });
  let told = '';
  const transport = transportOf(server, place, (text) => (told = `${told}${text}`.slice(-2000)));
  // What was wrong with the connection itself is told of nowhere else.
  let broken = '';
  client.onerror = (error) => void (broken = error.message);
  let end = (): Promise<unknown> => client.close();
  try {
    const connecting = client.connect(transport, { timeout: START_MS, signal: place.signal });
    end = await endOf(client, transport, place.clock);
    await connecting;
    const tools = await listTools(client, place.signal);
    let isOpen = true;
    client.onclose = () => void (isOpen = false);
    return ok({
      name,
      tools,
      get isOpen() {
        return isOpen;
      },
      call: async (tool, args, options) => {
        broken = '';
        const answer = await callTool(client, tool, args, options);
        const why = answer.isError && !isOpen && broken !== '' ? ` (${broken})` : '';
        return { ...answer, text: redact(answer.text + why) };
      },
      close: async () => void (await end()),
    });
  } catch (cause) {
    await end().catch(() => undefined); // It may never have come up.
    const last = plainText(told).trim().split('\n').at(-1) ?? '';
    return err(redact(`${startFailure(cause, server, place)}${last === '' ? '' : ` (${last})`}`));
  }
}

/** A program that is told to end has so long. */
const GRACE_MS = 2000;

/** How the connection ends; with a program, its whole process tree does (C4). */
async function endOf(client: Client, transport: Transport, clock: Clock): Promise<() => Promise<unknown>> {
  const pid = transport instanceof StdioClientTransport ? transport.pid : null;
  const root = pid === null ? null : await processIdentity(pid);
  if (root === null) return () => client.close();
  const scanner = new ProcessScanner({ source: hostProcesses(), clock });
  const tracker = trackTree({ scanner, root, marker: null, leads: false });
  return async () => {
    // What it started is seen while it lives; afterwards nobody could tell whose it was.
    await tracker.refresh().catch(() => undefined);
    await stopTree(tracker, { graceMs: GRACE_MS, clock, polite: () => client.close() });
    tracker.close();
  };
}

function transportOf(server: McpServerSettings, place: ServerPlace, onError: (text: string) => void): Transport {
  if ('url' in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: server.headers ?? {} },
    });
  }
  const { command, args = [], env = {} } = server;
  const { cwd, environment } = place;
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...environment, ...env },
    cwd,
    stderr: 'pipe',
  });
  // A character may be cut in two by the chunks (B05).
  const decoder = new TextDecoder();
  transport.stderr?.on('data', (chunk: Buffer) => onError(decoder.decode(chunk, { stream: true })));
  return transport;
}

/** Only what we use of it is looked at: one tool that is described badly must not take all others with it, nor the run (B18). */
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const GivenTool = z.looseObject({
  name: z.string().min(1),
  description: z.string().catch(''),
  inputSchema: z.record(z.string(), z.unknown()).catch({}),
});

async function listTools(client: Client, signal: AbortSignal): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  if (client.getServerCapabilities()?.tools === undefined) return tools;
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, ToolPage, { timeout: START_MS, signal });
    tools.push(...page.tools.flatMap(listedTool));
    cursor = page.nextCursor;
    if (cursor === undefined || tools.length >= MOST_TOOLS) return tools.slice(0, MOST_TOOLS);
  }
}

function listedTool(given: unknown): ListedTool[] {
  const read = GivenTool.safeParse(given);
  if (!read.success) return [];
  const { name, description, inputSchema } = read.data;
  const whole = { ...inputSchema, type: 'object' };
  return [{ name, description: description.slice(0, 4000).toWellFormed(), inputSchema: whole }];
}

const Answer = z.looseObject({});

/**
 * The answer is taken as it comes, whatever schema the server promised for it: the model reads what it says, and a pattern of the server's own never
 * runs here (B18).
 */
async function callTool(
  client: Client,
  tool: string,
  args: object,
  { signal, onProgress }: CallOptions,
): Promise<ServerAnswer> {
  try {
    const params = { name: tool, arguments: { ...args } };
    const result = await client.request({ method: 'tools/call', params }, Answer, {
      signal,
      timeout: CALL_MS,
      resetTimeoutOnProgress: true,
      onprogress: onProgress,
    });
    const content = Array.isArray(result['content']) ? result['content'].flatMap(readContent) : [];
    const given = result['structuredContent'];
    const structured = given === undefined ? [] : [JSON.stringify(given)];
    const texts = content.flatMap(textOf);
    return {
      isError: result['isError'] === true,
      text: (texts.length > 0 ? texts : structured).join('\n').toWellFormed(),
      images: content.flatMap(imageOf),
    };
  } catch (cause) {
    return { isError: true, text: `The MCP server did not answer: ${messageOf(cause)}`, images: [] };
  }
}

const word = () => z.string().optional().catch(undefined);

const Content = z.object({
  type: z.string(),
  text: word(),
  data: word(),
  mimeType: word(),
  uri: word(),
  resource: z.object({ uri: word(), text: word() }).optional().catch(undefined),
});
type Content = z.infer<typeof Content>;

function readContent(value: unknown): Content[] {
  const read = Content.safeParse(value);
  return read.success ? [read.data] : [];
}

function textOf({ type, text, uri, resource, mimeType }: Content): string[] {
  if (type === 'text') return [text ?? ''];
  if (type === 'resource') return [resource?.text ?? `[resource ${resource?.uri ?? ''}]`];
  if (type === 'resource_link') return [`[resource ${uri ?? ''}]`];
  return type === 'image' ? [] : [`[${type} ${mimeType ?? ''}]`];
}

function imageOf({ type, data, mimeType }: Content): { mediaType: string; base64: string }[] {
  return type === 'image' && data !== undefined ? [{ mediaType: mimeType ?? 'image/png', base64: data }] : [];
}

/** A program that is not there: which, and where it was looked for (B03). */
function startFailure(cause: unknown, server: McpServerSettings, { environment }: ServerPlace): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  if (!isMissing || !('command' in server)) return messageOf(cause);
  const path = server.env?.['PATH'] ?? environment['PATH'] ?? '';
  return `there is no program "${server.command}" in ${path === '' ? 'the empty PATH' : path}. Give its whole path as "command" in the settings.`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
