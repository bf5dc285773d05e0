// A core on a disk that fails, in mounts of its own. Prints what it saw, as JSON.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../protocol/entry.ts';
import type { Logger } from '../kit/logger.ts';
import { writePrivateFile } from '../host/core/private-file.ts';
import { GitFixture } from '../workspace/worktrees/git-fixture.ts';
import { CoreLab, value } from './core-lab.ts';
import { until } from './process-trees.ts';

const CALLER = { client: 'test' };
const LINES = 400;

const logged: string[] = [];
const note = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
const logger: Logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };

/** Three programs print while the disk of the data folder is full, and go on when there is room again. */
async function full(): Promise<unknown> {
  const git = GitFixture.withCommit();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', git.data]);
  const lab = await CoreLab.open(git, { logger });
  const banner = async (): Promise<string | null> =>
    value(await lab.service.app.info(undefined as never, CALLER)).storage_banner;
  const work = await Work.of(lab);
  const prints = `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "line $i ${'x'.repeat(200)}"; sleep 0.01; done`;
  const set = await lab.dispatch([prints, prints, prints], { defaults: { isolation: 'none' } });
  for (const run of set.run_ids) await lab.rowWhen(run, 'it to print', ({ activity }) => activity !== null);
  writeFileSync(join(git.data, 'ballast'), '');
  try {
    for (;;) writeFileSync(join(git.data, 'ballast'), Buffer.alloc(4096), { flag: 'a' });
  } catch {
    // No space is left: that is what was wanted.
  }
  await until('the banner', async () => (await banner()) !== null, 60_000);
  const said = await banner();
  const project_id = await lab.project();
  const input = {
    project_id,
    conversation_id: null,
    batch: ['one more task'],
    client_token: 'refused',
    options: { agent: 'command' },
  };
  const refused = await lab.service.batches.dispatch(input, CALLER);
  const changes = await work.refused();
  const whileFull = value(await lab.service.sets.show({ id: set.delegation_id }, CALLER)).runs.map(
    ({ outcome }) => outcome,
  );
  rmSync(join(git.data, 'ballast'));
  await until('the banner to go', async () => (await banner()) === null, 60_000);
  const { status } = await lab.ended(set, 60_000);
  const applied = await work.applied();
  const texts = await Promise.all(set.run_ids.map((run) => transcriptOf(lab, run)));
  const sets = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER)).sets.length;
  await lab.leave({ endAll: true });
  // Lazily: what was deleted last may be open for a moment more.
  execFileSync('umount', ['-l', git.data]);
  git.remove();
  const scratch = mkdtempSync(join(tmpdir(), 'disk-'));
  const settings = halfWritten(scratch);
  rmSync(scratch, { recursive: true });
  return {
    settings,
    said: said?.includes('full') === true && said.includes('Free some space'),
    refused: refused.ok ? 'accepted' : refused.error.code,
    worktree: { ...changes, ...applied },
    whileFull,
    status,
    sets,
    whole: texts.map((text) => linesOf(text)),
    troubles: logged.filter((line) => line.startsWith('storage trouble')).length,
    flood: logged.length > 60,
  };
}

/** A kept worktree of a run, and what becomes of it while its row cannot be written, and then. */
class Work {
  readonly #lab: CoreLab;
  readonly #run_id: string;
  readonly #path: string;

  private constructor(lab: CoreLab, run_id: string, path: string) {
    this.#lab = lab;
    this.#run_id = run_id;
    this.#path = path;
  }

  static async of(lab: CoreLab): Promise<Work> {
    const { run_id } = await lab.run('echo work > work.txt');
    return new Work(lab, run_id, (await lab.row(run_id)).worktree?.path ?? '');
  }

  async refused() {
    const { git, service } = this.#lab;
    const before = [git.fingerprint(this.#path), git.fingerprint()];
    const applied = await service.changes.apply({ run_id: this.#run_id, mode: 'squash' }, CALLER);
    const discarded = await service.changes.discard({ run_id: this.#run_id, accept_loss: false }, CALLER);
    const after = [git.fingerprint(this.#path), git.fingerprint()];
    const told = [applied, discarded].map((answer) => (answer.ok ? 'done' : answer.error));
    return { told, isUntouched: before.join() === after.join() };
  }

  async applied() {
    const answer = await this.#lab.service.changes.apply({ run_id: this.#run_id, mode: 'squash' }, CALLER);
    const row = await this.#lab.row(this.#run_id);
    return { again: answer.ok && this.#lab.git.git(['show', 'HEAD:work.txt']), row: row.worktree?.applied };
  }
}

/** A file of ours is replaced by one for which there is room in part: what is there then, and what else. */
function halfWritten(folder: string): unknown {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  const path = join(disk, 'settings.json');
  writePrivateFile(path, '{"version":1}');
  let refused = null;
  try {
    writePrivateFile(path, JSON.stringify({ filler: 'x'.repeat(100_000) }));
  } catch (error) {
    refused = (error as NodeJS.ErrnoException).code;
  }
  const seen = { refused, kept: readFileSync(path, 'utf8'), names: readdirSync(disk) };
  execFileSync('umount', [disk]);
  return seen;
}

async function transcriptOf(lab: CoreLab, run_id: string): Promise<string> {
  const entries: Entry[] = value(await lab.service.transcript.page({ run_id, from: 0, limit: 1000 }, CALLER)).entries;
  return entries.map(({ text }) => text).join('');
}

/** Whether every line is there once and in order. */
function linesOf(text: string): boolean {
  const numbers = [...text.matchAll(/line (\d+) x/g)].map(([, n]) => Number(n));
  return numbers.length === LINES && numbers.every((n, at) => n === at + 1);
}

/** The folder of one project is read-only for a time, the rest of the data folder is not. */
async function readOnly(): Promise<unknown> {
  const git = GitFixture.withCommit();
  const lab = await CoreLab.open(git, { logger });
  const before = await lab.run('echo before', { defaults: { isolation: 'none' } });
  const folder = join(git.data, 'projects', await lab.project());
  await lab.leave();
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['--bind', folder, folder]);
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
  await lab.host({ logger });
  const app = () => lab.service.app.info(undefined as never, CALLER).then(value);
  const project_id = await lab.project();
  const dispatch = (client_token: string) =>
    lab.service.batches.dispatch(
      { project_id, conversation_id: null, batch: ['echo after'], client_token, options: { agent: 'command' } },
      CALLER,
    );
  const refused = await dispatch('one');
  const banner = (await app()).storage_banner;
  const listed = await lab.service.conversations.list({ all: true }, CALLER);
  execFileSync('umount', [folder]);
  const accepted = await dispatch('two');
  const after = accepted.ok ? (await lab.ended(accepted.value)).status : accepted.error.code;
  const left = (await app()).storage_banner;
  await lab.leave({ endAll: true });
  execFileSync('mount', ['--bind', '-o', 'ro', git.data, git.data]);
  execFileSync('mount', ['-o', 'remount,bind,ro', git.data]);
  const unusable = await lab.host({ logger }).then(
    () => 'hosted',
    (error: Error) => error.message,
  );
  execFileSync('umount', [git.data]);
  await lab[Symbol.asyncDispose]();
  return {
    before: before.status,
    refused: refused.ok ? 'accepted' : refused.error.code,
    banner: banner?.includes('cannot be written to') === true,
    listed: listed.ok,
    after,
    left,
    unusable: /cannot be used as data folder.*cannot be written to/.test(unusable),
  };
}

const scene = process.argv[2] === 'full' ? full : readOnly;
process.stdout.write(`${JSON.stringify(await scene())}\n`);
process.exit();
