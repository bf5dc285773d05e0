import { join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { loadMigrations } from '../../registry/migrate/migrations.ts';
import { createWriterRegistry, type WriterRegistry } from '../../registry/writers/registry.ts';
import { StorageBanner } from '../health/storage-banner.ts';
import { AppStorage } from './app-storage.ts';
import type { CoreOptions } from './core-options.ts';

/** The databases of a data folder, as far as every core needs them from its start. */
export interface OpenedStorage {
  readonly registry: WriterRegistry;
  readonly app: AppStorage;
  readonly banner: StorageBanner;
  /** The banner is another one. */
  changed: () => void;
}

/** Opens what every core of the data folder needs. The caller holds the core lock. */
export async function openStorage(options: CoreOptions): Promise<Result<OpenedStorage, ApiError>> {
  const { home, clock, logger, packageRoot } = options;
  const migrations = {
    app: loadMigrations(join(packageRoot, 'migrations', 'app')),
    project: loadMigrations(join(packageRoot, 'migrations', 'project')),
  };
  // Nobody can look at the banner before the core is up.
  const parts = { changed: (): void => options.onObstacle?.(banner.text) };
  const banner = new StorageBanner(() => parts.changed());
  const registry = createWriterRegistry({
    clock,
    logger,
    migrationsFor: (path) => (path.endsWith('app.db') ? migrations.app : migrations.project),
    onHealth: ({ path, error }) => banner.tell(path, error?.message ?? null),
  });
  const app = await registry.acquire(join(home, 'app.db'));
  if (!app.ok) return err({ code: 'storage', message: app.error.message });
  return ok(Object.assign(parts, { registry, banner, app: new AppStorage(registry, app.value) }));
}
