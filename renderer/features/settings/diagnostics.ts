import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import type { Finding } from '../../../core/protocol/contract.ts';
import type { AppRow } from '../../../core/protocol/rows.ts';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** What is looked at. */
export interface Looked {
  readonly app: AppRow;
  readonly protocol: number;
  readonly agents: readonly AgentDefinition[];
  readonly models: readonly { readonly ref: string; readonly has_key: boolean }[];
  readonly findings: readonly Finding[];
  readonly keysProblem: string | null;
}

/** What is here and what is wrong with it. A model or agent that is missing is told, and is no fault. */
export function checksOf({ app, protocol, agents, models, findings, keysProblem }: Looked): readonly Check[] {
  const usable = models.filter(({ has_key }) => has_key).length;
  const model = app.default_model;
  const modelOk = model === null || models.some(({ ref, has_key }) => ref === model && has_key);
  return [
    {
      name: 'Core',
      ok: true,
      detail: `${app.version}, protocol ${protocol}, ${app.at_work} of ${app.places} places at work`,
    },
    { name: 'Storage', ok: app.storage_banner === null, detail: app.storage_banner ?? 'works' },
    {
      name: 'Default model',
      ok: modelOk,
      detail: model === null ? 'none' : `${model}${modelOk ? '' : ': its key is missing'}`,
    },
    {
      name: 'Default agent',
      ok: agents.some(({ id }) => id === app.default_agent),
      detail: app.default_agent,
    },
    { name: 'Models', ok: true, detail: `${usable} of ${models.length} can be used` },
    ...(keysProblem === null ? [] : [{ name: 'Keys', ok: false, detail: keysProblem }]),
    ...agents.map(({ id, runner, source }) => ({ name: 'Agent', ok: true, detail: `${id} (${runner}, ${source})` })),
    ...findings.map(({ name, found, detail }) => ({
      name: 'Provider',
      ok: true,
      detail: `${name}: ${found ? 'found' : 'not found'}. ${detail}`,
    })),
  ];
}

/** The checks as a text to hand on: no key, no value of a header, nothing that people wrote. */
export function diagnosticsText(checks: readonly Check[], browser: string): string {
  const lines = checks.map(({ name, ok, detail }) => `${ok ? 'ok ' : 'BAD'} ${name}: ${detail}`);
  return ['Espalier diagnostics', ...lines, `Page: ${browser}`, ''].join('\n');
}
