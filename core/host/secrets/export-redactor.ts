import type { Settings } from '../../protocol/settings.ts';
import { VENDORS } from '../../providers/models/endpoint.ts';
import { redactor, type Redact } from '../../providers/secrets/redactor.ts';
import { settingsSecrets } from '../../providers/secrets/secret-values.ts';

/** Takes every secret out of a text that leaves the data folder (D7): keys and extras of all providers and agents, and what looks like one. */
export function exportRedactor(settings: Settings, environment: Readonly<Record<string, string | undefined>>): Redact {
  const names = Object.values(VENDORS).flatMap(({ keyNames }) => keyNames);
  for (const { apiKeyEnv } of Object.values(settings.providers)) if (apiKeyEnv !== undefined) names.push(apiKeyEnv);
  return redactor([...names.flatMap((name) => environment[name] ?? []), ...settingsSecrets(settings)]);
}
