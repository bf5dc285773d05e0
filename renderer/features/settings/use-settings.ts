import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Settings } from '../../../core/protocol/settings.ts';
import { api, core, describeFailure, queryClient } from '../../app/client.ts';

/** The settings in force; undefined until they are read. */
export function useSettingValues(): Settings | undefined {
  return useQuery(api.settings.get.queryOptions()).data;
}

/** Whether the user's file sets a key, or anything below it; what it does not set has its default. */
export function useIsSet(): (key: string) => boolean {
  const keys = useQuery(api.settings.written.queryOptions()).data?.keys ?? [];
  return (key) => keys.some((written) => written === key || written.startsWith(`${key}.`));
}

/** Sets one key, or with null gives it back to its default; answers why not, in words, or null. */
async function saveSetting(key: string, value: unknown): Promise<string | null> {
  try {
    const settings = await core.settings.set({ key, value });
    queryClient.setQueryData(api.settings.get.queryKey(), settings);
    // Lists that are made of the settings.
    for (const list of [api.settings.written, api.models.list, api.agents.list, api.providers.list]) {
      void queryClient.invalidateQueries({ queryKey: list.key() });
    }
    return null;
  } catch (error) {
    return describeFailure(error).message;
  }
}

/** Saves settings, and says what kept the last one from being saved. */
export function useSave(): {
  readonly save: (key: string, value: unknown) => Promise<boolean>;
  readonly error: string | null;
} {
  const [error, setError] = useState<string | null>(null);
  const save = async (key: string, value: unknown): Promise<boolean> => {
    const refused = await saveSetting(key, value);
    setError(refused);
    return refused === null;
  };
  return { save, error };
}
