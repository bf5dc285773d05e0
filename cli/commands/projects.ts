import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { ProjectRow } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { attachedAt, existingFolder, nearestAttached } from '../core/named-folder.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { table } from '../terminal/table.ts';

/** `espalier projects add`: attaches a folder. */
export async function add(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const path = existingFolder(context, args.positionals[0] ?? '.');
  return print(context, args, [await withCore(context, (client) => client.projects.add({ path }))]);
}

/** `espalier projects list`. */
export async function list(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const rows = await withCore(context, (client) => client.projects.list());
  if (args.flag('json')) await context.terminal.out(`${JSON.stringify(rows)}\n`);
  else await print(context, args, rows);
  return EXIT.done;
}

/** `espalier projects trust`: lets a project bring agents, servers and settings of its own, as they are now (A4). */
export async function trust(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const trusted = !args.flag('revoke');
  const row = await withCore(context, async (client) => {
    const { project_id, definitions } = await find(context, client, args.positionals[0] ?? '');
    // What is named below is what was looked at here: other content by then is refused.
    return client.projects.trust({
      project_id,
      trusted,
      ...(definitions === null ? {} : { digest: definitions.digest }),
    });
  });
  await print(context, args, [row]);
  const files = row.definitions?.files ?? [];
  if (!args.flag('json') && files.length > 0) {
    const words = trusted ? 'Trusted as they are now; a change asks again' : 'Not used any more';
    await context.terminal.show(`${words}: ${files.map((file) => oneLineOf(file, 200)).join(', ')}\n`);
  }
  return EXIT.done;
}

/** `espalier projects remove`: takes a folder off the list; nothing in it is touched. */
export async function remove(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  await withCore(context, async (client) => {
    const { project_id } = await find(context, client, args.positionals[0] ?? '');
    await client.projects.remove({ project_id });
  });
  return EXIT.done;
}

async function find(context: CommandContext, client: ApiClient, named: string): Promise<ProjectRow> {
  const rows = await client.projects.list();
  const row = attachedAt(context, rows, named);
  if (row !== undefined) return row;
  const called = rows.filter(({ name }) => name === named);
  const [only] = called;
  if (only !== undefined && called.length === 1) return only;
  if (called.length > 1) {
    const ids = called.map(({ project_id, path }) => `${project_id} (${oneLineOf(path, 200)})`).join(', ');
    throw new Failure(
      EXIT.refused,
      `${called.length} attached projects are called ${named}: ${ids}. Name one by its id.`,
    );
  }
  throw new Failure(EXIT.refused, `No attached project is called ${named}.${nearestAttached(context, rows, named)}`);
}

async function print(
  { terminal }: CommandContext,
  args: ParsedArguments,
  rows: readonly ProjectRow[],
): Promise<ExitStatus> {
  if (args.flag('json')) await terminal.out(`${JSON.stringify(rows[0])}\n`);
  else
    await terminal.show(
      table(rows.map((row) => [row.project_id, oneLineOf(row.name), wordsOf(row), oneLineOf(row.path, 200)])),
    );
  return EXIT.done;
}

function wordsOf(row: ProjectRow): string {
  const words = [trustWords(row), row.git ? 'git' : 'no git'];
  return (row.present ? words : [...words, 'folder missing']).join(', ');
}

function trustWords({ trusted, definitions }: ProjectRow): string {
  if (trusted) return 'trusted';
  return definitions?.changed === true ? 'changed since it was trusted' : 'not trusted';
}
