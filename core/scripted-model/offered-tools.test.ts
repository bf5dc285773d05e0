import { expect, it } from 'vitest';
import { offeredTool } from './offered-tools.ts';

it.each([
  ['anthropic', { tools: [{ name: 'Bash' }, { name: 'mcp__espalier__delegate_task' }] }, null],
  ['openai-chat', { tools: [{ type: 'function', function: { name: 'espalier_delegate_task' } }] }, null],
  ['gemini', { tools: [{ functionDeclarations: [{ name: 'mcp_espalier_delegate_task' }] }] }, null],
  [
    'openai-responses, nested',
    { tools: [{ type: 'namespace', name: 'mcp__espalier', tools: [{ name: 'delegate_task' }] }] },
    'mcp__espalier',
  ],
])('%s: the one tool that ends in the name is meant, under the name that the client gave it', (_, body, namespace) => {
  const found = offeredTool(body, 'delegate_task');
  expect(found.name).toMatch(/delegate_task$/);
  expect(JSON.stringify(body)).toContain(`"${found.name}"`);
  expect(found.namespace).toBe(namespace);
});

it('a name that is offered itself, by nobody, or by two as an ending stays as it is', () => {
  const body = { tools: [{ name: 'a_read' }, { name: 'b_read' }, { name: 'x_write' }, { name: 'write' }] };
  for (const name of ['read', 'write', 'bash']) expect(offeredTool(body, name)).toEqual({ name, namespace: null });
});
