import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * A small real MCP server on stdio for tests: `node mcp-server.ts [broken]`. Its tools: `echo` (its argument), `secret` (its variable TOKEN), `child`
 * (starts a process that outlives it, and answers its pid), `fail` (an error), `gone` (ends the server). `STARTS` names a file that gets its pid, `BROKEN`
 * one that makes it fail.
 */
const { STARTS, BROKEN } = process.env;
if (STARTS !== undefined) appendFileSync(STARTS, `${process.pid}\n`);
if (process.argv[2] === 'broken' || (BROKEN !== undefined && existsSync(BROKEN))) {
  process.stderr.write('cannot start: no licence\n');
  process.exit(1);
}

const names = ['echo', 'secret', 'child', 'fail', 'gone'];
const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: names.map((name) => ({
    name,
    description: `The tool ${name}`,
    inputSchema: {
      type: 'object' as const,
      $defs: { word: { type: 'string' } },
      properties: { text: { $ref: '#/$defs/word' } },
    },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const answer = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError });
  switch (params.name) {
    case 'secret':
      return answer(`the token is ${process.env['TOKEN'] ?? 'not there'}`);
    case 'child':
      return answer(String(spawn('sleep', ['300'], { stdio: 'ignore' }).pid));
    case 'fail':
      return answer('it went wrong', true);
    case 'gone':
      return process.exit(3);
    default:
      return answer(`echo: ${String(params.arguments?.['text'])}`);
  }
});
await server.connect(new StdioServerTransport());
