import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../kit/clock.ts';
import { hostProcesses, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { stopTree } from '../../kit/process-tree/stop-tree.ts';
import { trackTree } from '../../kit/process-tree/tree-tracker.ts';
import { err, ok, type Result } from '../../kit/result.ts';
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
      call: (tool, args, options) => callTool(client, tool, args, redact, options),
      close: async () => void (await end()),
    });
  } catch (cause) {
    await end().catch(() => undefined); // It may never have come up.
    const last = told.trim().split('\n').at(-1) ?? '';
    return err(redact(`${messageOf(cause)}${last === '' ? '' : ` (${last})`}`));
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
  transport.stderr?.on('data', (chunk: Buffer) => onError(chunk.toString()));
  return transport;
}

async function listTools(client: Client, signal: AbortSignal): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  if (client.getServerCapabilities()?.tools === undefined) return tools;
  for (let cursor: string | undefined; ;) {
    const page = await client.listTools({ cursor }, { timeout: START_MS, signal });
    for (const { name, description = '', inputSchema } of page.tools) {
      tools.push({ name, description: description.slice(0, 4000), inputSchema });
    }
    cursor = page.nextCursor;
    if (cursor === undefined || tools.length >= MOST_TOOLS) return tools.slice(0, MOST_TOOLS);
  }
}

async function callTool(
  client: Client,
  tool: string,
  args: object,
  redact: (text: string) => string,
  { signal, onProgress }: CallOptions,
): Promise<ServerAnswer> {
  try {
    const result = await client.callTool({ name: tool, arguments: { ...args } }, undefined, {
      signal,
      timeout: CALL_MS,
      resetTimeoutOnProgress: true,
      onprogress: onProgress,
    });
    const content = Array.isArray(result.content) ? (result.content as Content[]) : [];
    const structured = result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)];
    const texts = content.flatMap(textOf);
    return {
      isError: result.isError === true,
      text: redact((texts.length > 0 ? texts : structured).join('\n')),
      images: content.flatMap(imageOf),
    };
  } catch (cause) {
    return { isError: true, text: redact(`The MCP server did not answer: ${messageOf(cause)}`), images: [] };
  }
}

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly resource?: { readonly uri: string; readonly text?: string };
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
