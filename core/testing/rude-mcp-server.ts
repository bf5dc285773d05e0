import { createInterface } from 'node:readline';

/**
 * An MCP server on stdio that keeps to the letter of JSON-RPC and to little else: `node rude-mcp-server.ts [silent]`. Some of its tools are described
 * badly; what they answer is written for a terminal, is far too much, or is not what their schema promises.
 */
const PATTERN = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } }, required: ['a'] };
const OBJECT = { type: 'object' };
const TOOLS = [
  { name: 'good', description: 'g', inputSchema: OBJECT },
  { name: 'no-type', inputSchema: { properties: { a: { type: 'string' } } } },
  { name: 'no-schema', description: 7 },
  { name: 'bad-promise', inputSchema: OBJECT, outputSchema: { type: 'object', properties: { a: { type: 'strnig' } } } },
  { name: 'slow-promise', inputSchema: OBJECT, outputSchema: PATTERN },
  { name: 'pictures', inputSchema: OBJECT },
  { description: 'nameless', inputSchema: OBJECT },
  'no tool at all',
];

const png = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');
const text = (words: string) => ({ type: 'text', text: words });
const image = (mimeType: string, data: string) => ({ type: 'image', mimeType, data });

const ANSWERS: Readonly<Record<string, object>> = {
  good: { content: [text('fine')] },
  'no-type': {
    content: [
      text('\u001b[31mred\u001b[0m \u001b]0;title\u0007\0half \ud83d'),
      { type: 'hologram' },
      'junk',
      text('end'),
    ],
  },
  'no-schema': { content: [text(`begin\n${'0123456789 line\n'.repeat(8000)}end`)] },
  'bad-promise': { structuredContent: { a: 1 } },
  'slow-promise': { structuredContent: { a: `${'a'.repeat(64)}!` } },
  pictures: {
    content: [
      image('image/svg+xml', Buffer.from('<svg/>').toString('base64')),
      image('image/jpeg', png),
      { type: 'image' },
    ],
  },
};

// A character of the last words is cut in two.
const last = Buffer.from('\u001b[31m…kein Schlüssel\u001b[0m\n');
process.stderr.write(last.subarray(0, 6));
setTimeout(() => {
  process.stderr.write(last.subarray(6));
  if (process.argv[2] === 'silent') process.exit(1);
}, 20);
if (process.argv[2] !== 'silent') {
  process.stdout.write('A banner, and no JSON at all\n');
  for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line) as Request);
}

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

function answer({ id, method, params }: Request): void {
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`);
}

function resultOf(method: string, params: Request['params']): object {
  if (method === 'tools/list') return { tools: TOOLS };
  if (method === 'tools/call') return ANSWERS[params?.name ?? ''] ?? {};
  const { protocolVersion = '' } = params ?? {};
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rude', version: '1' } };
}
