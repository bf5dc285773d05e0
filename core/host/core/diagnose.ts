import type { AgentHealth } from '../../protocol/agents.ts';
import type { Finding, HealthCheck } from '../../protocol/health.ts';
import { resolveModel } from '../../providers/models/resolve.ts';
import { lookAtAgents } from './areas/agents-area.ts';
import type { Core } from './core.ts';
import { KeyFile } from './key-file.ts';
import { unknownKey } from './settings-words.ts';

const FOUND_BY: Readonly<Record<NonNullable<AgentHealth['found_by']>, string>> = {
  path: 'on the PATH',
  login_shell: 'on the PATH of the login shell',
  known_folder: 'in a folder of installers',
  setting: 'as it is set',
};

/** Looks at everything that a core can look at from within: itself, its PATH, agents, models and providers. No word of it is secret. */
export async function diagnose(core: Core, detect: () => Promise<Finding[]>): Promise<HealthCheck[]> {
  const [agents, findings] = await Promise.all([agentsOf(core), detect()]);
  // After the agents: their check asks a shell again that said nothing.
  return [
    ...coreChecks(core),
    ...pathCheck(core),
    ...unknownKeys(core),
    ...modelChecks(core),
    ...agents,
    ...findings.map(providerCheck),
  ];
}

function coreChecks(core: Core): HealthCheck[] {
  const { version, at_work, places, storage_banner } = core.appRow();
  const { problem } = new KeyFile(core.options.home).read();
  return [
    { name: 'core', ok: true, detail: `${version}, ${at_work} of ${places} places at work` },
    ...(storage_banner === null ? [] : [{ name: 'storage', ok: false, detail: storage_banner }]),
    ...(problem === null ? [] : [{ name: 'shortcuts', ok: false, detail: problem }]),
  ];
}

/** How programs are looked for (B03). A shell without an answer is a fault: agents may be missing because of it. */
function pathCheck({ options: { path } }: Core): HealthCheck[] {
  return path === undefined ? [] : [{ name: 'PATH', ok: !path.isLacking, detail: path.words }];
}

/** Keys without effect: a slip of the pen, or of a newer version. */
function unknownKeys({ settings }: Core): HealthCheck[] {
  const { path, unknown } = settings.written();
  return unknown.map((key) => {
    const detail = `${unknownKey(key)} It stays in ${path} without effect; \`espalier config set ${key} null\` removes it.`;
    return { name: 'settings', ok: true, note: 'unheeded', detail };
  });
}

function modelChecks({ settings: { value }, options, agents }: Core): HealthCheck[] {
  const { defaultModel, defaultAgent } = value;
  const model = defaultModel === undefined ? null : resolveModel(value, defaultModel, options.environment);
  const problem = model === null || model.ok ? null : model.error.message;
  return [
    ...(defaultModel === undefined
      ? []
      : [{ name: 'default model', ok: problem === null, detail: problem ?? defaultModel }]),
    ...(agents.of(null).has(defaultAgent)
      ? []
      : [
          {
            name: 'default agent',
            ok: false,
            detail: `There is no agent "${defaultAgent}". Choose another in the settings.`,
          },
        ]),
  ];
}

/** One that is not there is no fault; one that is there and does not work is. */
async function agentsOf(core: Core): Promise<HealthCheck[]> {
  const looked = await lookAtAgents(core);
  const outside = new Set(looked.map(({ id }) => id));
  const own = core.agents.entries(null).filter(({ agent }) => !outside.has(agent.id));
  return [
    ...own.map(({ agent: { id, runner, source }, warnings }) => {
      const detail = [`${id} (${runner}, ${source})`, ...warnings].join('. ');
      return { name: 'agent', ok: true, detail };
    }),
    ...looked.map(({ id, path, version, state, found_by, authentication, detail }) => {
      const where = path === null ? null : `${path} (${found_by === null ? '' : FOUND_BY[found_by]})`;
      const facts = [state.replace('_', ' '), version, where].filter((word) => word !== null).join(', ');
      const login = path === null || state === 'sign_in' ? '' : ` ${authentication}`;
      const absent = state === 'missing' ? { note: 'absent' as const } : {};
      return { name: 'agent', ok: state !== 'faulty', ...absent, detail: `${id}: ${facts}. ${detail}${login}` };
    }),
  ];
}

/** None of them is needed for the `command` agent: what is not there is told, and is no fault. */
function providerCheck({ name, found, detail }: Finding): HealthCheck {
  const words = `${name}: ${found ? 'found' : 'not found'}. ${detail}`;
  return { name: 'provider', ok: true, ...(found ? {} : { note: 'absent' as const }), detail: words };
}
