import { oneLineOf } from '../../core/host/export/plain-words.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { AgentListed } from '../../core/protocol/agents.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { attachedAt, existingFolder } from '../core/named-folder.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { table } from '../terminal/table.ts';

/** `espalier agents list`: with `--project` also those of a project; below the table what is odd about definitions. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const folder = args.text('project');
  const { agents, odd } = await withCore(context, async (client) => {
    const project_id = folder === undefined ? null : await projectAt(context, client, folder);
    const agents = await client.agents.list({ project_id });
    const files = await client.agents.files({ project_id });
    const faulty = files.filter(({ state }) => state === 'faulty' || state === 'untrusted');
    const words = faulty.map(({ path, fault }) => `${path}: ${fault ?? 'not used, as the project is not trusted'}`);
    return { agents, odd: [...agents.flatMap(oddities), ...words] };
  });
  if (args.flag('json')) {
    await context.terminal.out(`${JSON.stringify(agents)}\n`);
    return EXIT.done;
  }
  const rows = agents.map(({ id, runner, source, installed, description }) => [
    id,
    runner,
    source,
    oneLineOf(`${installed === false ? '(not installed) ' : ''}${description}`, 100),
  ]);
  const notes = odd.map((line) => `${oneLineOf(line, 300)}\n`).join('');
  await context.terminal.show(notes === '' ? table(rows) : `${table(rows)}\n${notes}`);
  return EXIT.done;
}

/** Conflicts of a file with built-in agents are meant; with one another they may not be. */
function oddities({ id, path, warnings, conflicts }: AgentListed): string[] {
  const place = path ?? id;
  const others = conflicts.filter(({ source }) => source !== 'builtin');
  return [
    ...warnings.map((warning) => `${place}: ${warning}`),
    ...others.map(({ source, path: other }) => `${place}: counts before ${other ?? `"${id}" of ${source}`}`),
  ];
}

async function projectAt(context: CommandContext, client: ApiClient, named: string): Promise<string> {
  const found = attachedAt(context, await client.projects.list(), named);
  if (found !== undefined) return found.project_id;
  const path = existingFolder(context, named);
  throw new Failure(EXIT.usage, `${path} is not attached; \`espalier projects add\` or a run there attaches it.`);
}
