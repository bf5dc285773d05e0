import { deflateSync, inflateSync } from 'node:zlib';

/**
 * Rewrites a PNG of Chromium (8 bits a channel, not interlaced) with a palette of at most 256 colours: a screenshot becomes a third of its size. What
 * covers much keeps its own colour; no other moves further than the least distance that makes all fit, so that text and lines stay as they are.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;
const RGBA = 6;
const INDEXED = 3;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. */
  readonly pixels: Uint32Array;
}

function chunksOf(png: Buffer): readonly Chunk[] {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** What a filter of the PNG adds to a byte. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      throw new Error(`a PNG has no filter ${filter}`);
  }
}

/** Takes the filters off, in place; each row begins with the number of its filter. */
function unfilter(bytes: Buffer, rowLength: number, step: number): void {
  for (let row = 0; row < bytes.length; row += rowLength + 1) {
    const filter = bytes[row] ?? 0;
    for (let at = row + 1; at <= row + rowLength; at += 1) {
      const inRow = at - row > step;
      const left = inRow ? (bytes[at - step] ?? 0) : 0;
      const up = row > 0 ? (bytes[at - rowLength - 1] ?? 0) : 0;
      const corner = inRow && row > 0 ? (bytes[at - rowLength - 1 - step] ?? 0) : 0;
      bytes[at] = ((bytes[at] ?? 0) + predicted(filter, left, up, corner)) & 255;
    }
  }
}

function decode(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (head === undefined) throw new Error('a PNG without a head');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const type = head[9];
  if (head[8] !== 8 || (type !== RGB && type !== RGBA) || head[12] !== 0) throw new Error('a PNG of another kind');
  const step = type === RGB ? 3 : 4;
  const bytes = inflateSync(Buffer.concat(chunks.filter((chunk) => chunk.type === 'IDAT').map(({ data }) => data)));
  unfilter(bytes, width * step, step);
  const pixels = new Uint32Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) pixels[at] = bytes.readUIntBE(y * (width * step + 1) + 1 + x * step, 3);
  }
  return { width, height, pixels };
}

function distance(a: number, b: number): number {
  const of = (shift: number): number => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255));
  return Math.max(of(16), of(8), of(0));
}

/** So many of the commonest colours are kept as they are: the grounds differ by little. */
const KEPT = 64;

/** Colours of the palette by colour, when none is further than `most` from its own; null when 256 do not suffice. */
function fitted(colours: readonly number[], most: number): { palette: number[]; places: Map<number, number> } | null {
  const palette = colours.slice(0, KEPT);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of colours.slice(KEPT)) {
    let place = palette.findIndex((known) => distance(known, colour) <= most);
    if (place === -1) {
      if (palette.length === 256) return null;
      place = palette.push(colour) - 1;
    }
    places.set(colour, place);
  }
  return { palette, places };
}

function paletteOf({ pixels }: Picture): { palette: number[]; places: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  // The commonest first.
  const colours = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  for (let most = 0; most < 256; most += 1) {
    const found = fitted(colours, most);
    if (found !== null) return found;
  }
  throw new Error('no palette');
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = (CRC[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return whole;
}

/** The same picture with a palette. */
export function withPalette(png: Buffer): Buffer {
  const picture = decode(png);
  const { width, height, pixels } = picture;
  const { palette, places } = paletteOf(picture);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, INDEXED, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) rows[y * (width + 1) + 1 + x] = places.get(pixels[at] ?? 0) ?? 0;
  }
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
