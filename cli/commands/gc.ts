import type { GcItem, GcReport } from '../../core/protocol/gc.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { table } from '../terminal/table.ts';

/** `espalier gc`: deletes what was made by Espalier and provably need not be kept; status 1 when something could not be deleted. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const report = await withCore(context, (client) => client.storage.gc({ dry_run: args.flag('dry-run') }));
  if (args.flag('json')) await context.terminal.out(`${JSON.stringify(report)}\n`);
  else await context.terminal.show(describe(report));
  return report.items.every(({ error }) => error === null) ? EXIT.done : EXIT.refused;
}

function describe({ dry_run, items, bytes }: GcReport): string {
  if (items.length === 0) return 'There is nothing that need not be kept.\n';
  const lines = table(
    items.map((item) => [mark(item, dry_run), item.kind, sizeOf(item.bytes), oneLineOf(item.what, 200)]),
  );
  const reasons = items.map((item) => `    ${oneLineOf(item.error ?? item.reason, 200)}`);
  const body = lines
    .trimEnd()
    .split('\n')
    .flatMap((line, at) => [line, reasons[at] ?? '']);
  const done = items.filter(({ done: gone }) => gone).length;
  const sum = dry_run
    ? `${String(items.length)} would go, ${sizeOf(bytes)}.`
    : `${String(done)} of ${String(items.length)} went, ${sizeOf(bytes)}.`;
  return `${body.join('\n')}\n${sum}\n`;
}

function mark({ done }: GcItem, dryRun: boolean): string {
  if (dryRun) return '–';
  return done ? '✓' : '✗';
}

/** Bytes as people read them. */
function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}
