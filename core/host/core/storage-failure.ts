import { err, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { MalformedRow } from '../../registry/store/stored-json.ts';
import { UnreadableStorage } from '../engine/storage-link.ts';
import type { CoreService } from '../service.ts';

/** What storage says of itself in something thrown, as clients are told; null when it was something else, and so a bug (D6). */
export function storageFailure(thrown: unknown): ApiError | null {
  if (!(thrown instanceof UnreadableStorage || thrown instanceof MalformedRow)) return null;
  return { code: 'storage', message: thrown.message };
}

/** What is read, or null when the database cannot be read now; for lists over many of them, which one must not take down. */
export function ifReadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (storageFailure(thrown) === null) throw thrown;
    return null;
  }
}

type Method = (...args: readonly unknown[]) => Promise<Result<unknown, ApiError>>;

/** The same service, in which a database that cannot be read is a refusal in plain words and not a fault of ours. */
export function withStorageFailures(service: CoreService): CoreService {
  const guard = (method: Method): Method => {
    return async (...args) => {
      try {
        return await method(...args);
      } catch (thrown) {
        const known = storageFailure(thrown);
        if (known === null) throw thrown;
        return err(known);
      }
    };
  };
  const areas = Object.entries(service).map(([area, methods]) => {
    const guarded = Object.entries(methods as Record<string, Method>).map(([name, method]) => [name, guard(method)]);
    return [area, Object.fromEntries(guarded) as unknown];
  });
  // The same areas with the same methods.
  return Object.fromEntries(areas) as CoreService;
}
