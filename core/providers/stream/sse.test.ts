import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseParser } from './sse.ts';

function parse(chunks: readonly string[]): string[] {
  const parser = new SseParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()].map((event) => event.data);
}

const TEXT =
  ': hi\nevent: x\nid: 1\ndata: {"a":1}\n\ndata:two\ndata: lines\n\nretry: 5\nfoo: bar\ndata:  x\u2028y\u0085z\n\n';
const EVENTS = ['{"a":1}', 'two\nlines', ' x\u2028y\u0085z'];

describe('server-sent events (B07)', () => {
  const forms: [string, string][] = [
    ['LF', TEXT],
    ['CRLF', TEXT.replaceAll('\n', '\r\n')],
    ['CR', TEXT.replaceAll('\n', '\r')],
    ['a byte order mark first', `\uFEFF${TEXT}`],
    ['no blank line at the end', TEXT.slice(0, -1)],
    ['no line end at the end', TEXT.slice(0, -2)],
    ['mixed line ends', TEXT.replace('\n\n', '\r\n\r').replace('\n\n', '\r\r\n')],
  ];

  test.each(forms)('%s → the same events, wherever the chunks are cut', (_name, text) => {
    expect(parse([text])).toEqual(EVENTS);
    expect(parse([...text])).toEqual(EVENTS);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6, size: 'max' }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        expect(parse(at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(EVENTS);
      }),
    );
  });

  test('comments and fields without data are no event', () => {
    expect(parse([':\n\n: ping\n\nevent: ping\n\nid: 3\n\n'])).toEqual([]);
  });

  test('an empty data line is an event with empty data', () => {
    expect(parse(['data\n\ndata:\n\n'])).toEqual(['', '']);
  });

  test('a line without end is refused before it fills the memory', () => {
    const parser = new SseParser();
    const piece = 'x'.repeat(1024 * 1024);
    expect(() => {
      for (let i = 0; i < 20; i += 1) parser.push(piece);
    }).toThrow('has no end');
  });

  test('nor is an event of lines without end', () => {
    const parser = new SseParser();
    const lines = `data: ${'x'.repeat(1000)}\n`.repeat(1000);
    expect(() => {
      for (let i = 0; i < 20; i += 1) parser.push(lines);
    }).toThrow('has no end');
  });
});
