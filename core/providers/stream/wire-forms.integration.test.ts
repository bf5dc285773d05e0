import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import type { ProviderKind } from '../models/bundle.ts';
import { ANSWERS, KINDS, loopbackBundle } from './dialects.ts';
import type { ModelEvent } from './events.ts';
import { sendStream, startRawServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';
import { streamModel } from './stream-model.ts';

let server: RawServer | null = null;
afterEach(() => server?.close());

interface Outcome {
  text: string;
  last: ModelEvent | undefined;
  usage: unknown;
  activity: number;
}

async function answerOf(
  kind: ProviderKind,
  pieces: readonly (string | Uint8Array)[],
  answer: Parameters<typeof startRawServer>[0] = (response) => sendStream(response, pieces),
): Promise<Outcome> {
  server = await startRawServer(answer);
  const outcome: Outcome = { text: '', last: undefined, usage: null, activity: 0 };
  const options = {
    signal: new AbortController().signal,
    clock: systemClock,
    onActivity: () => (outcome.activity += 1),
  };
  const request = {
    system: '',
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }],
    tools: [],
  };
  for await (const event of streamModel(loopbackBundle(kind, server.url), request, options)) {
    if (event.type === 'text_delta') outcome.text += event.text;
    if (event.type === 'usage') outcome.usage = event.tokens;
    outcome.last = event;
  }
  await server.close();
  return outcome;
}

const TEXT = 'Hel\u2028lo \u0085wörld €😀';

function whole(kind: ProviderKind): string {
  const { begin, end } = ANSWERS[kind](['Hel\u2028lo ', '\u0085wörld €😀']);
  return begin + end;
}

/** The data of each event over two lines, where JSON allows white space. */
function twoDataLines(stream: string): string {
  return stream.replaceAll(/^data: \{(.*)\}$/gm, 'data: {\ndata: $1}');
}

function noisy(stream: string): string {
  return stream.replaceAll(/^data: /gm, ': ping\n:\nevent: message\nid: 7\nretry: 10\nsome: thing\ndata: ');
}

describe.each(KINDS)('%s', (kind) => {
  const forms: [string, (stream: string) => readonly (string | Uint8Array)[]][] = [
    ['LF', (stream) => [stream]],
    ['CRLF', (stream) => [stream.replaceAll('\n', '\r\n')]],
    ['CRLF cut between chunks', (stream) => stream.replaceAll('\n', '\r\n').split(/(?<=\r)/)],
    ['CR only', (stream) => [stream.replaceAll('\n', '\r')]],
    ['no space after the colon', (stream) => [stream.replaceAll('data: ', 'data:')]],
    ['comments and unknown fields between', (stream) => [noisy(stream)]],
    ['no [DONE] but a finish reason', (stream) => [stream.replace('data: [DONE]\n\n', '')]],
    ['no blank line at the end', (stream) => [stream.replace('data: [DONE]\n\n', '').replace(/\n+$/, '')]],
    ['two data lines an event', (stream) => [twoDataLines(stream)]],
    [
      'a byte a chunk (B05)',
      (stream) =>
        Buffer.from(stream)
          .toString('latin1')
          .split('')
          .map((byte) => Buffer.from(byte, 'latin1')),
    ],
  ];

  test.each(forms)('%s → the same text, usage and finish (B07)', async (_name, form) => {
    const outcome = await answerOf(kind, form(whole(kind)));
    expect(outcome.text).toBe(TEXT);
    expect(outcome.last).toMatchObject({ type: 'finish', reason: 'end' });
    expect(outcome.last).toMatchObject({ message: { role: 'assistant', parts: [{ type: 'text', text: TEXT }] } });
    expect(outcome.usage).toEqual({ input: 3, cached_input: 0, cache_write: 0, output: 5, reasoning: 0 });
    expect(outcome.activity).toBeGreaterThan(1);
  });
});

test('anthropic: a stop reason without the last event is a whole message', async () => {
  const stream = whole('anthropic').replace('data: {"type":"message_stop"}\n\n', '');
  expect((await answerOf('anthropic', [stream])).last).toMatchObject({ type: 'finish', reason: 'end' });
});

test('anthropic: unknown events are skipped', async () => {
  const stream = `${ANSWERS.anthropic(['a']).begin}data: {"type":"from_the_future","x":1}\n\n${ANSWERS.anthropic([]).end}`;
  expect((await answerOf('anthropic', [stream])).last).toMatchObject({ type: 'finish', reason: 'end' });
});

test.each(['anthropic', 'openai', 'openai-compatible'] as const)(
  'B07: %s: an answer is whole with its last word, also when the server never closes it and goes on with comments',
  async (kind) => {
    const outcome = await answerOf(kind, [], (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(whole(kind));
      const pings = setInterval(() => response.write(': ping\n\n'), 20);
      response.on('close', () => clearInterval(pings));
    });
    expect(outcome).toMatchObject({ text: TEXT, last: { type: 'finish', reason: 'end' } });
  },
);

test('keep-alive comments count as activity but not as content', async () => {
  const { begin, end } = ANSWERS['openai-compatible'](['a']);
  const outcome = await answerOf('openai-compatible', [begin, ': ping\n\n', end]);
  expect(outcome.text).toBe('a');
});
