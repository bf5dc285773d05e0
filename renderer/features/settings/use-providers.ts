import { useQuery } from '@tanstack/react-query';
import { KeyAnswer, type KeyRequest } from '../../../core/protocol/desktop.ts';
import { api, core, describeFailure, queryClient } from '../../app/client.ts';
import { bridge } from '../../shared/bridge.ts';

/** Where a key that is entered here would be kept. */
export interface KeyPlace {
  readonly where: 'keychain' | 'file';
  /** What is to be said of the place. */
  readonly detail: string;
  /** Path of the file; null for the keychain. */
  readonly path: string | null;
  /** Variables that it holds a key for. */
  readonly names: readonly string[];
  /** Why it cannot be used. */
  readonly problem: string | null;
}

async function askKeychain(request: KeyRequest): Promise<KeyAnswer | null> {
  const keys = bridge()?.keys;
  return keys === undefined ? null : (KeyAnswer.safeParse(await keys(request)).data ?? null);
}

/** The keychain on the desktop; in a browser, and without a keychain, the core's own file. */
async function findPlace(): Promise<KeyPlace> {
  const keychain = await askKeychain({ type: 'list' });
  if (keychain?.keychain === true) {
    return { where: 'keychain', detail: keychain.detail, path: null, names: keychain.names, problem: null };
  }
  const { path, names, problem } = await core.providers.kept_keys();
  return { where: 'file', detail: keychain?.detail ?? '', path, names, problem };
}

const PLACE = ['key-place'];

export function useKeyPlace(): KeyPlace | undefined {
  return useQuery({ queryKey: PLACE, queryFn: findPlace }).data;
}

/** What is made of providers and keys is read again. */
export function providersChanged(): void {
  for (const queryKey of [api.providers.list.key(), api.models.list.key(), api.settings.key(), PLACE])
    void queryClient.invalidateQueries({ queryKey });
}

/** Keeps a key, or with null forgets it; answers why not, in words, or null. The key is held nowhere else afterwards. */
export async function changeKey(place: KeyPlace, name: string, key: string | null): Promise<string | null> {
  try {
    if (place.where === 'keychain') {
      const request: KeyRequest = key === null ? { type: 'forget', name } : { type: 'keep', name, value: key };
      const answer = await askKeychain(request);
      if (answer === null || answer.error !== null) return answer?.error ?? '';
    } else if (key === null) await core.providers.forget_key({ name });
    else await core.providers.keep_key({ name, key });
    providersChanged();
    return null;
  } catch (error) {
    return describeFailure(error).message;
  }
}
