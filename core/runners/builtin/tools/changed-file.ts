import type { ToolDisplay } from '../../../protocol/entry.ts';
import { unifiedDiff } from '../../unified-diff.ts';

/** Bytes of a file up to which its change is shown as a diff. */
export const DIFFED = 2 * 1024 * 1024;

/** What a person sees of a changed file; texts too large to compare show no diff. */
export function changeDisplay(path: string, before: Uint8Array | null, after: Uint8Array): ToolDisplay {
  if ((before?.byteLength ?? 0) > DIFFED || after.byteLength > DIFFED) return { type: 'files', paths: [path] };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { type: 'diff', path, ...unifiedDiff(decoder.decode(before ?? new Uint8Array()), decoder.decode(after)) };
}
