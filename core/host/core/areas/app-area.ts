import { err, ok, type Result } from '../../../kit/result.ts';
import type { HealthCheck } from '../../../protocol/health.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import type { ListenInput } from '../../../protocol/listen.ts';
import { PROTOCOL_VERSION } from '../../../protocol/version.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { modelsOf } from '../world.ts';

/** Opens the HTTP listener of this host and gives its URL with the token in the fragment. */
export type Listen = (input: ListenInput) => Promise<Result<{ url: string }, ApiError>>;

/** The app as a whole, models and settings. */
export function appArea(
  core: Core,
  listen: Listen | undefined,
  diagnose: () => Promise<HealthCheck[]>,
): Pick<CoreService, 'app' | 'models' | 'settings'> {
  return {
    app: {
      info: async () => ok(core.appRow()),
      doctor: async () => ok({ checks: await diagnose() }),
      hello: async ({ protocol }) => {
        if (protocol !== PROTOCOL_VERSION) {
          const message = `This client speaks protocol ${protocol}, the running core ${PROTOCOL_VERSION}. Update the older one, or stop the core and start it again.`;
          return err({ code: 'protocol_mismatch', message });
        }
        const { version, home } = core.options;
        return ok({ protocol: PROTOCOL_VERSION, version, boot: core.boot, home, pid: process.pid });
      },
      listen: async (input) => {
        if (listen !== undefined) return listen(input);
        return err({
          code: 'not_allowed',
          message: 'This core cannot open an address. Stop it and start `espalier serve`.',
        });
      },
    },
    models: {
      list: async ({ project_id } = { project_id: null }) =>
        ok(modelsOf(core.settingsIn(project_id), core.options.environment)),
    },
    settings: {
      get: async () => ok(core.settings.value),
      written: async () => ok(core.settings.written()),
      set: async ({ key, value }) => {
        const changed = core.settings.set(key, value);
        if (changed.ok) await core.settingsChanged();
        return changed;
      },
    },
  };
}
