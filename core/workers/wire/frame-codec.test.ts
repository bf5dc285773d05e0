import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameReader } from './frame-codec.ts';

function readAll(reader: FrameReader): unknown[] {
  const found: unknown[] = [];
  for (let frame = reader.next(); frame !== null; frame = reader.next()) {
    if (typeof frame === 'string') return [...found, frame];
    found.push(JSON.parse(frame.text));
  }
  return found;
}

describe('frames on the wire', () => {
  test('whatever is sent comes out the same, however the bytes are cut', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 8, size: 'max' });
    fc.assert(
      fc.property(values, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map((value) => encodeFrame(value)));
        const reader = new FrameReader();
        const found: unknown[] = [];
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = cuts[n % cuts.length] ?? 1;
          reader.push(bytes.subarray(at, at + size));
          at += size;
          found.push(...readAll(reader));
        }
        expect(found).toEqual(sent.map((value) => JSON.parse(JSON.stringify(value)) as unknown));
      }),
    );
  });

  test('half of a surrogate pair survives, since text is cut anywhere', () => {
    const reader = new FrameReader();
    reader.push(encodeFrame({ text: '\ud83d' }));
    expect(readAll(reader)).toEqual([{ text: '\ud83d' }]);
  });

  test('case 41: a length beyond the limit is an error before any of the frame has come', () => {
    const reader = new FrameReader(100);
    reader.push(Buffer.from([0, 0, 0, 101]));
    expect(reader.next()).toBe('too_long');
  });

  test('case 41: an empty frame is an error; a limit that was raised holds from then on', () => {
    const reader = new FrameReader(4);
    reader.push(encodeFrame(12345));
    expect(reader.next()).toBe('too_long');
    reader.allow(5);
    expect(reader.next()).toEqual({ text: '12345', bytes: 5 });
    reader.push(Buffer.alloc(4));
    expect(reader.next()).toBe('empty');
  });
});
