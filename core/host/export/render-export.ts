import type { Exported } from './exported.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';

/** How an export is written. */
export type ExportFormat = 'md' | 'json' | 'html';

/** Writes what was read as one text, cleaned of secrets: before it is escaped, since an escaped secret would not be recognised (D7). */
export function renderExport(
  exported: Exported,
  options: { readonly format: ExportFormat; readonly redact: (text: string) => string; readonly version: string },
): string {
  const { format, redact, version } = options;
  const clean = redactAll(exported, redact);
  switch (format) {
    case 'json':
      return `${JSON.stringify({ espalier: version, ...clean }, null, 2)}\n`;
    case 'html':
      return toHtml(clean);
    case 'md':
      return toMarkdown(clean);
  }
}

/** The same value with every text in it cleaned. */
function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactAll(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactAll<unknown>(item, redact)])) as T;
}
