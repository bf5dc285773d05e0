/** What a file is by its first bytes. */
export type FileKind =
  | { readonly type: 'text' }
  | { readonly type: 'image'; readonly mediaType: string }
  /** `words` names it: `a PDF document`. */
  | { readonly type: 'binary'; readonly words: string };

/** Bytes of the beginning that {@link fileKind} looks at. */
export const KIND_BYTES = 8192;

const IMAGES: readonly (readonly [mediaType: string, offset: number, hex: string])[] = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '47494638'],
  ['image/webp', 8, '57454250'],
];

const BINARIES: readonly (readonly [words: string, offset: number, hex: string])[] = [
  ['a PDF document', 0, '255044462d'],
  ['a zip archive (also docx, xlsx, jar)', 0, '504b0304'],
  ['a gzip file', 0, '1f8b08'],
  ['an xz file', 0, 'fd377a585a00'],
  ['a zstd file', 0, '28b52ffd'],
  ['a 7z archive', 0, '377abcaf271c'],
  ['a tar archive', 257, '7573746172'],
  ['an ELF program or library', 0, '7f454c46'],
  ['a Mach-O program or library', 0, 'cffaedfe'],
  ['a Windows program or library', 0, '4d5a9000'],
  ['a WebAssembly module', 0, '0061736d'],
  ['an SQLite database', 0, '53514c69746520666f726d6174203300'],
  ['an MP4 video', 4, '66747970'],
  ['an Ogg file', 0, '4f676753'],
  ['UTF-16 text (convert it with iconv)', 0, 'fffe'],
  ['UTF-16 text (convert it with iconv)', 0, 'feff'],
];

/** Tells text from images and other binary files by the first bytes (at least {@link KIND_BYTES}, or all). */
export function fileKind(start: Buffer): FileKind {
  const hasAt = (offset: number, hex: string): boolean =>
    start.subarray(offset, offset + hex.length / 2).toString('hex') === hex;
  const image = IMAGES.find(([, offset, hex]) => hasAt(offset, hex));
  if (image !== undefined) return { type: 'image', mediaType: image[0] };
  const binary = BINARIES.find(([, offset, hex]) => hasAt(offset, hex));
  if (binary !== undefined) return { type: 'binary', words: binary[0] };
  return start.subarray(0, KIND_BYTES).includes(0) ? { type: 'binary', words: 'a binary file' } : { type: 'text' };
}
