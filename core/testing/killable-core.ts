import { join } from 'node:path';
import { hostCore } from '../host/core/host-core.ts';
import { systemClock } from '../kit/clock.ts';
import { silentLogger } from '../kit/logger.ts';
import { systemRandom } from '../kit/random.ts';

/** What a core that a test can really kill is told, as its argument. */
interface Orders {
  readonly home: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  readonly batch: unknown;
}

const { home, project, environment, batch } = JSON.parse(process.argv[2] ?? '') as Orders;
const CALLER = { client: 'test' };
const packageRoot = join(import.meta.dirname, '..', '..');
const hosted = await hostCore({
  home,
  version: '0.0.0',
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  packageRoot,
  workerEntry: join(packageRoot, 'core', 'host', 'child.ts'),
  environment,
  unattendedMs: 0,
  warmWorkers: 0,
});
if (!hosted.ok) throw new Error(hosted.error.message);
const { service } = hosted.value;
const added = await service.projects.add({ path: project }, CALLER);
if (!added.ok) throw new Error(added.error.message);
const { project_id } = added.value;
const input = { project_id, conversation_id: null, batch, client_token: systemRandom.hex(16) };
const answer = await service.batches.dispatch(input, CALLER);
if (!answer.ok) throw new Error(answer.error.message);
process.stdout.write(`${JSON.stringify(answer.value)}\n`);
