import { exportRedactor } from '../../core/host/secrets/export-redactor.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { readExported, type Exported } from '../export/exported.ts';
import { toHtml } from '../export/html.ts';
import { toMarkdown } from '../export/markdown.ts';

/** `espalier export`: writes a conversation, set or run to stdout, cleaned of known secrets (D7). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { cores, terminal, environment, version } = context;
  const { client, close } = await cores.openReading();
  try {
    const exported = await readExported(client, args.positionals[0] ?? '');
    const redact = exportRedactor(await client.settings.get(), environment);
    // Cleaned before it is escaped: an escaped secret would not be recognised.
    const clean = redactAll(exported, redact);
    await terminal.out(write(args.text('format') ?? 'md', clean, version));
    return EXIT.done;
  } finally {
    await close();
  }
}

function write(format: string, exported: Exported, version: string): string {
  if (format === 'json') return `${JSON.stringify({ espalier: version, ...exported }, null, 2)}\n`;
  return format === 'html' ? toHtml(exported) : toMarkdown(exported);
}

/** The same value with every text in it cleaned. */
function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactAll(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactAll<unknown>(item, redact)])) as T;
}
