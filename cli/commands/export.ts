import { isExportable, readExported } from '../../core/host/export/exported.ts';
import { renderExport } from '../../core/host/export/render-export.ts';
import { exportRedactor } from '../../core/host/secrets/export-redactor.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { noteLeftAtWork } from '../core/left-at-work.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier export`: writes a conversation, set or run to stdout, cleaned of known secrets (D7). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { cores, terminal, environment, version } = context;
  const id = args.positionals[0] ?? '';
  const reading = await cores.openReading();
  const { client, close } = reading;
  try {
    if (!isExportable(id)) {
      throw new Failure(EXIT.usage, `${id} is no id of a conversation (conv_…), set (deleg_…) or run (run_…).`);
    }
    const exported = await readExported(client, id);
    const redact = exportRedactor(await client.settings.get(), environment);
    const written = args.text('format');
    const format = written === 'json' || written === 'html' ? written : 'md';
    await terminal.out(renderExport(exported, { format, redact, version }));
    noteLeftAtWork(
      terminal,
      reading,
      exported.runs.map(({ run: row }) => row),
    );
    return EXIT.done;
  } finally {
    await close();
  }
}
