import { expect, test } from 'vitest';
import { parseServers } from './parse-servers.ts';

test('a file of servers gives those that can be used, and says of each other one why not', () => {
  const { servers, faults } = parseServers(
    JSON.stringify({
      mcpServers: {
        files: { command: 'files-server', args: ['.'], disabled: false },
        web: { type: 'http', url: 'https://example.org/mcp', headers: { A: 'b' } },
        nothing: { comment: 'x' },
        'bad name!': { command: 'x' },
      },
    }),
  );
  expect(servers).toEqual({
    files: { command: 'files-server', args: ['.'] },
    web: { type: 'http', url: 'https://example.org/mcp', headers: { A: 'b' } },
  });
  expect(faults).toHaveLength(2);
});

test('what is no JSON, or names no servers, is a fault in words', () => {
  expect(parseServers('{').faults).toEqual(['It is no JSON.']);
  expect(parseServers('[]').faults).toEqual(['It names no mcpServers.']);
});
