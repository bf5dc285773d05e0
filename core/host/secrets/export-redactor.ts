import type { Settings } from '../../protocol/settings.ts';
import { VENDORS } from '../../providers/models/endpoint.ts';
import { redactor, type Redact } from '../../providers/secrets/redactor.ts';
import { settingsSecrets, SHORTEST_SECRET } from '../../providers/secrets/secret-values.ts';

/** What must not be shown or stored: the values of key variables, and everything in the settings that may authenticate. */
export function knownSecrets(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const names = Object.values(VENDORS).flatMap(({ keyNames }) => keyNames);
  for (const { apiKeyEnv } of Object.values(settings.providers)) if (apiKeyEnv !== undefined) names.push(apiKeyEnv);
  const keys = names.flatMap((name) => environment[name]?.trim() ?? []);
  return [...keys.filter((key) => key.length >= SHORTEST_SECRET), ...settingsSecrets(settings)];
}

/** Takes every secret out of a text that leaves the data folder (D7): keys and extras of all providers and agents, and what looks like one. */
export function exportRedactor(settings: Settings, environment: Readonly<Record<string, string | undefined>>): Redact {
  return redactor(knownSecrets(settings, environment));
}
