import { ProviderSettings } from '../../../core/protocol/settings.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';

const words = settingsStrings.providers;

/** A provider as its form holds it. */
export interface ProviderDraft {
  readonly id: string;
  readonly kind: ProviderSettings['kind'];
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  /** Names of models, one a line. */
  readonly models: string;
}

export const NEW_PROVIDER: ProviderDraft = {
  id: '',
  kind: 'openai-compatible',
  baseUrl: '',
  apiKeyEnv: '',
  models: '',
};

/** The form of a provider that there is. */
export function draftOf(id: string, provider: ProviderSettings): ProviderDraft {
  const { kind, baseUrl = '', apiKeyEnv = '', models = {} } = provider;
  return { id, kind, baseUrl, apiKeyEnv, models: Object.keys(models).join('\n') };
}

/** What the form asks for; everything that it does not show (headers, prices) stays as it was. */
export function providerOf(draft: ProviderDraft, before: ProviderSettings | undefined): ProviderSettings {
  const { baseUrl: _url, apiKeyEnv: _key, models: known = {}, ...rest } = before ?? { kind: draft.kind };
  const names = [...new Set(draft.models.split('\n').map((name) => name.trim()))].filter(Boolean);
  return {
    ...rest,
    kind: draft.kind,
    ...(draft.baseUrl.trim() === '' ? {} : { baseUrl: draft.baseUrl.trim() }),
    ...(draft.apiKeyEnv.trim() === '' ? {} : { apiKeyEnv: draft.apiKeyEnv.trim() }),
    ...(names.length === 0 ? {} : { models: Object.fromEntries(names.map((name) => [name, known[name] ?? {}])) }),
  };
}

/** What is wrong with one field, in words; null when the form can be saved. */
export function faultOf(
  draft: ProviderDraft,
  taken: readonly string[],
): { readonly field: keyof ProviderDraft; readonly words: string } | null {
  const id = draft.id.trim();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return { field: 'id', words: words.idWrong };
  if (taken.includes(id)) return { field: 'id', words: words.taken(id) };
  const url = draft.baseUrl.trim();
  if (url === '' && draft.kind === 'openai-compatible') return { field: 'baseUrl', words: words.urlNeeded };
  if (url !== '' && !isWebAddress(url)) return { field: 'baseUrl', words: words.urlHint };
  const key = draft.apiKeyEnv.trim();
  if (key !== '' && !/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(key))
    return { field: 'apiKeyEnv', words: words.keyLooksSecret };
  return null;
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol) && ProviderSettings.shape.baseUrl.safeParse(text).success;
  } catch {
    return false;
  }
}
