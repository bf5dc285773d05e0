import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How an agent is told to start a server. The variables are a list over ACP, an object elsewhere. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

function isList(env: NonNullable<ServerStart['env']>): env is readonly Variable[] {
  return Array.isArray(env);
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string };
}

/** An MCP server that a scripted agent has started; it ends with the agent's own process, by the end of its input. */
export class StdioServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
    });
  }

  static async start({ command, args, env = {} }: ServerStart): Promise<StdioServer> {
    const variables = isList(env) ? Object.fromEntries(env.map(({ name, value }) => [name, value])) : env;
    const server = new StdioServer(spawn(command, args, { env: { ...process.env, ...variables } }));
    const clientInfo = { name: 'scripted-agent', version: '1' };
    await server.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    server.#send({ method: 'notifications/initialized' });
    return server;
  }

  /** Calls a tool; answers its text, or the error in words. */
  async call(name: string, input: object): Promise<string> {
    const { result, error } = await this.#request('tools/call', { name, arguments: input });
    return error?.message ?? (result?.content ?? []).map(({ text }) => text ?? '').join('\n');
  }

  #request(method: string, params: object): Promise<Answer> {
    const id = (this.#requests += 1);
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
