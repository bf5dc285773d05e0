import { checkStorage, openStorageReader, type Check } from '../../core/host/health/check-storage.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/version.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { toFailure } from '../core/api-failure.ts';
import { checkTable } from '../core/check-table.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier doctor`: what is here and what is wrong with it; status 3 when something has to be mended. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal, home } = context;
  const checks = [...versions(context), ...(await storageOf(context)), ...(await checkCore(context))];
  if (args.flag('json')) {
    const ok = checks.every((check) => check.ok);
    await terminal.out(`${JSON.stringify({ ok, home, version: context.version, checks })}\n`);
  } else {
    await terminal.show(checkTable(checks));
  }
  return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.environment;
}

async function storageOf({ home, clock, root }: CommandContext): Promise<Check[]> {
  const reader = openStorageReader(clock, root);
  try {
    return await checkStorage(home, reader);
  } finally {
    await reader.close();
  }
}

function versions({ version }: CommandContext): Check[] {
  const node = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return [
    { name: 'Espalier', ok: true, detail: `${version}, protocol ${PROTOCOL_VERSION}` },
    { name: 'runtime', ok: true, detail: node },
  ];
}

async function checkCore(context: CommandContext): Promise<Check[]> {
  try {
    return await withCore(context, async (client) => (await client.app.doctor()).checks);
  } catch (error) {
    return [{ name: 'core', ok: false, detail: toFailure(error).message }];
  }
}
