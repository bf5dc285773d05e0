import { expect, test } from 'vitest';
import { loopbackBundle } from '../stream/dialects.ts';
import type { Message } from './message.ts';
import { toCall } from './to-call.ts';

const half = 'cut \ud83d';

test.each(['anthropic', 'openai', 'openai-compatible', 'google'] as const)(
  'B05, B15: half a surrogate pair reaches no provider (%s), wherever a text was cut',
  (kind) => {
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: half }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: half },
          { type: 'text', text: half },
          {
            type: 'tool_call',
            id: 'c1',
            name: 'read',
            raw_arguments: String.raw`{"path":["whole \ud83d\ude00","half \ud83d"]}`,
          },
          { type: 'tool_call', id: 'c2', name: 'read', raw_arguments: `["${half}"` },
        ],
      },
      { role: 'tool', results: [{ id: 'c1', name: 'read', text: half, isError: false }] },
    ];
    const bundle = loopbackBundle(kind, 'http://127.0.0.1:1');
    const { prompt } = toCall(bundle, { system: half, messages, tools: [] }, new AbortController().signal);
    const sent = JSON.stringify(prompt);
    expect(sent).not.toMatch(/\\ud83d(?!\\ude00)/);
    expect(sent.split('cut \ufffd').length - 1).toBeGreaterThanOrEqual(5);
    expect(sent).toContain('"whole \u{1f600}","half \ufffd"');
  },
);
