import { existsSync } from 'node:fs';
import { processIdentity } from '../../kit/process-tree/host-processes.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import type { CoreInfo } from '../../registry/lock/core-info.ts';
import { acquireCoreLock, type CoreLock } from '../../registry/lock/core-lock.ts';
import { useBuiltStorageThread } from '../place/storage-thread.ts';
import type { CoreOptions } from './core-options.ts';
import { openStorage, type OpenedStorage } from './open-storage.ts';
import type { SettingsFile } from './settings-file.ts';
import { settingsPath } from './settings-path.ts';

/** Why this process cannot be the core. */
export interface HostError {
  readonly code: 'home_locked' | 'home_unusable' | 'storage' | 'settings';
  readonly message: string;
}

/** Where a core can be reached, and whether it is there yet; all of it is in `core.json`. */
export type CoreAddresses = Partial<Pick<CoreInfo, 'apiSocket' | 'url' | 'starting'>>;

/** A data folder that is ours to be the core of, with all in hand that commonly fails: settings that hold, and an open database. */
export interface ClaimedHome {
  readonly lock: CoreLock;
  /** Null where there is no file, which cannot be faulty: who reads it later finds the defaults. */
  readonly settings: SettingsFile | null;
  readonly storage: OpenedStorage;
  /** Says where this core listens. */
  announce(where: CoreAddresses): void;
  /** Gives the folder up again, where no core came of it. */
  release(): Promise<void>;
}

/**
 * Takes the lock of the data folder, reads its settings, opens its database (D2): everything for which a start is refused, and little else to load,
 * so that it is known early.
 */
export async function claimHome(options: CoreOptions): Promise<Result<ClaimedHome, HostError>> {
  useBuiltStorageThread(options.packageRoot);
  const me = await processIdentity(process.pid);
  const info: CoreInfo = {
    pid: process.pid,
    startTime: me?.startTime ?? null,
    protocol: PROTOCOL_VERSION,
    apiSocket: null,
    workerSocket: null,
  };
  const locked = await acquireCoreLock(options.home, info);
  if (!locked.ok) return err({ code: locked.error.code, message: locked.error.message });
  const lock = locked.value;
  const onObstacle = (obstacle: string | null): void => {
    lock.publish(obstacle === null ? info : { ...info, obstacle });
    options.onObstacle?.(obstacle);
  };
  const opened = await open({ ...options, onObstacle });
  if (!opened.ok) {
    lock.release();
    return opened;
  }
  const { settings, storage } = opened.value;
  let where = info;
  return ok({
    lock,
    settings,
    storage,
    announce(more) {
      where = { ...where, ...more };
      lock.publish(where);
    },
    async release() {
      await storage.app.close();
      await storage.registry.drainAll();
      lock.release();
    },
  });
}

async function open(options: CoreOptions): Promise<Result<Pick<ClaimedHome, 'settings' | 'storage'>, HostError>> {
  // The schemas come with it.
  const settings = existsSync(settingsPath(options.home)) ? await readSettings(options.home) : ok(null);
  if (!settings.ok) return settings;
  const storage = await openStorage(options);
  if (!storage.ok) return err({ code: 'storage', message: storage.error.message });
  return ok({ settings: settings.value, storage: storage.value });
}

/** The settings of a data folder; a faulty file is a reason not to start. */
export async function readSettings(home: string): Promise<Result<SettingsFile, HostError>> {
  const { SettingsFile: File } = await import('./settings-file.ts');
  const settings = new File(home);
  const loaded = settings.load();
  return loaded.ok ? ok(settings) : err({ code: 'settings', message: loaded.error.message });
}
