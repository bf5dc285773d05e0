import { ok } from '../../../kit/result.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { LazyServer } from '../../../mcp/client/lazy-server.ts';
import type { ListedTool } from '../../../mcp/client/tool-lists.ts';
import { toolName } from '../../../mcp/client/tool-names.ts';
import type { RunnerPort } from '../../contract.ts';
import { serversOf } from '../../mcp-servers.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../../protocol/images.ts';
import { fileKind } from './file-kind.ts';
import { OutputCapture } from './output-capture.ts';
import type { InputSchema, Tool, ToolImage } from './tool.ts';

/** The tools of a run's MCP servers, and the end of those. */
export interface McpTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

const NONE: McpTools = { tools: [], close: () => Promise.resolve() };

/**
 * The tools of the MCP servers that the agent was given, by the lists that these servers gave last: a server is started at the first call of one of its
 * tools, or here for a list that is not known yet. One that is broken is told in the transcript and left out: it does not end the run.
 */
export async function mcpTools(assignment: Assignment, port: RunnerPort): Promise<McpTools> {
  const { servers: known, notes } = await serversOf(assignment);
  for (const note of notes) notice(port, note);
  const wanted = Object.entries(known);
  if (wanted.length === 0) return NONE;
  const [{ LazyServer }, { ToolLists }] = await Promise.all([
    import('../../../mcp/client/lazy-server.ts'),
    import('../../../mcp/client/tool-lists.ts'),
  ]);
  const { workspace: cwd, project, run_id: runId, hidden_variables: drop, environment, agent } = assignment;
  const place = {
    cwd,
    environment: toolEnvironment({ ...environment, ...agent.env }, { runId, drop }),
    version: '1',
    clock: port.clock,
  };
  const folder = assignment.tool_lists;
  const lists = folder === undefined ? null : new ToolLists(folder, () => port.clock.now());
  const servers: LazyServer[] = [];
  const opened = await Promise.all(
    wanted.map(async ([name, server]) => ({
      name,
      found: await LazyServer.open({ name, server, place, project, lists }),
    })),
  );
  for (const { name, found } of opened) {
    if (found.ok) servers.push(found.value);
    else notice(port, `The MCP server "${name}" is left out: ${found.error}`);
  }
  const taken = new Set<string>();
  const tools = servers.flatMap((server) => {
    const free = known[server.name]?.readOnlyTools ?? [];
    return server.tools.map((tool) => {
      const name = toolName(server.name, tool.name, taken);
      taken.add(name);
      return mcpTool({ server, tool, name, readOnly: free.includes('*') || free.includes(tool.name) }, port);
    });
  });
  return {
    tools,
    close: async () => {
      await Promise.all(servers.map((server) => server.close().catch(() => undefined)));
    },
  };
}

function notice(port: RunnerPort, text: string): void {
  port.transcript.add({ type: 'notice', level: 'warning' }, text);
}

interface ServersTool {
  readonly server: LazyServer;
  readonly tool: ListedTool;
  /** For models. */
  readonly name: string;
  readonly readOnly: boolean;
}

function mcpTool({ server, tool, name, readOnly }: ServersTool, port: RunnerPort): Tool {
  const { properties = {}, ...schema } = tool.inputSchema;
  return {
    name,
    description: tool.description,
    inputSchema: { ...schema, properties } as unknown as InputSchema,
    readOnly,
    permission: readOnly ? 'free' : 'execute',
    check: ok,
    describe: () => `${server.name}: ${tool.name}`,
    run: async (args, { signal, spillFolder }) => {
      const answer = await server.call(tool.name, args, { signal, onProgress: () => port.alive() });
      const { images, notes } = shownImages(answer.images);
      // Its program may write for a terminal, and without end, like any other (B30).
      const capture = new OutputCapture({ spillFolder, name: 'mcp' });
      capture.push([answer.text, ...notes].filter((text) => text !== '').join('\n'), 'stdout');
      return { isError: answer.isError, text: capture.finish().text, images };
    },
  };
}

/** A provider refuses the whole request for an image that it does not take, and each later one: such are told of in words. */
function shownImages(given: readonly ToolImage[]): { readonly images: ToolImage[]; readonly notes: string[] } {
  const images: ToolImage[] = [];
  const notes: string[] = [];
  for (const { mediaType, base64 } of given) {
    const bytes = Math.floor((base64.length * 3) / 4);
    const kind = fileKind(Buffer.from(base64.slice(0, 64), 'base64'));
    if (kind.type === 'image' && bytes <= MAX_IMAGE_BYTES && images.length < MAX_IMAGES) {
      images.push({ mediaType: kind.mediaType, base64 });
    } else notes.push(`[image ${mediaType}, ${bytes} bytes: it cannot be shown]`);
  }
  return { images, notes };
}
