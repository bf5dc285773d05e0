import type { Settings } from '../../protocol/settings.ts';
import { VENDORS } from '../../providers/models/endpoint.ts';
import { redactor, type Redact } from '../../providers/secrets/redactor.ts';

/** Takes every secret out of a text that leaves the data folder (D7): keys and headers of all providers, and what looks like one. */
export function exportRedactor(settings: Settings, environment: Readonly<Record<string, string | undefined>>): Redact {
  const names = Object.values(VENDORS).flatMap(({ keyNames }) => keyNames);
  const secrets: string[] = [];
  for (const { apiKeyEnv, headers, baseUrl } of Object.values(settings.providers)) {
    if (apiKeyEnv !== undefined) names.push(apiKeyEnv);
    secrets.push(...Object.values(headers ?? {}));
    if (baseUrl !== undefined) secrets.push(new URL(baseUrl).password);
  }
  for (const name of names) secrets.push(environment[name] ?? '');
  for (const { env, headers } of Object.values(settings.agents)) {
    secrets.push(...Object.values(headers ?? {}));
    for (const [name, value] of Object.entries(env ?? {})) {
      if (/key|token|secret|password/i.test(name)) secrets.push(value);
    }
  }
  return redactor(secrets.filter((secret) => secret !== ''));
}
