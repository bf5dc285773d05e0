import { useQuery } from '@tanstack/react-query';
import type { GrantRow } from '../../../core/protocol/preferences.ts';
import { Isolation, Permission } from '../../../core/protocol/settings.ts';
import { api, attempt, core, queryClient } from '../../app/client.ts';
import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { useNow } from '../../shared/ticks.ts';
import { formatAge } from '../../shared/format.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { useIsSet, useSave, useSettingValues } from './use-settings.ts';

const words = settingsStrings.permissions;

function revoke({ project_id, scope, scope_id, tool, detail }: GrantRow, what: string): void {
  void attempt(words.revokeFailed, async () => {
    await core.grants.remove({ project_id, scope, scope_id, tool, detail });
    await queryClient.invalidateQueries({ queryKey: api.grants.list.key() });
    toast(words.revoked(what));
  });
}

function GrantLine({ grant, project }: { readonly grant: GrantRow; readonly project: string }) {
  const now = useNow();
  const call = grant.detail === '*' ? words.everyCall : grant.detail.split('\n', 1)[0]?.slice(0, 300);
  const what = `${grant.tool} ${visibleText(call ?? '')}`;
  const where = grant.scope === 'project' ? `${words.scopes.project} ${project}` : words.scopes[grant.scope];
  return (
    <li className="settings-line">
      <span className="text-ok">
        <Icon name="check" />
      </span>
      <span>
        <span className="font-med">{grant.tool}</span> {where}
      </span>
      <span className="line-detail min-w-0">
        {grant.detail === '*' ? (
          <span className="text-ink-2">{words.everyCall}</span>
        ) : (
          <code title={visibleText(grant.detail)}>{visibleText(call ?? '')}</code>
        )}
        <span className="block text-11 text-ink-3">
          {grant.of !== null && `${visibleText(grant.of)} · `}
          {formatAge(grant.at, now)}
        </span>
      </span>
      <Button
        aria-label={words.revokeOf(what)}
        onClick={() => {
          revoke(grant, what);
        }}
      >
        {words.revoke}
      </Button>
    </li>
  );
}

function Grants() {
  const grants = useQuery({ ...api.grants.list.queryOptions(), refetchOnMount: 'always' }).data;
  const projects = useProjects();
  const nameOf = (id: string): string => visibleText(projects.find(({ project_id }) => project_id === id)?.name ?? id);
  return (
    <Group title={words.grants}>
      <div data-setting="grants">
        {grants === undefined || grants.length === 0 ? (
          <Note>{grants === undefined ? settingsStrings.loading : words.noGrants}</Note>
        ) : (
          <ul className="settings-items" aria-label={words.grants}>
            {grants.map((grant) => (
              <GrantLine
                key={`${grant.scope} ${grant.scope_id} ${grant.tool} ${grant.detail}`}
                grant={grant}
                project={nameOf(grant.project_id)}
              />
            ))}
          </ul>
        )}
      </div>
    </Group>
  );
}

/** What agents may do without asking, and the consent that people gave beyond one call (A1, A2). */
export function PermissionsSection() {
  const settings = useSettingValues();
  const isSet = useIsSet();
  const { save, error } = useSave();
  if (settings === undefined) return <Note>{settingsStrings.loading}</Note>;
  const { permission, isolation } = settings;
  return (
    <Section title={settingsStrings.sections.permissions} intro={words.intro}>
      <Group>
        <Setting
          id="permission"
          label={words.mode}
          hint={words.modeHints[permission]}
          error={error}
          fallback={{
            isSet: isSet('permission'),
            words: words.modes.ask,
            onReset: () => void save('permission', null),
          }}
        >
          <Select
            name={words.mode}
            className="w-[200px] flex-none"
            value={permission}
            options={Permission.options.map((value) => ({ value, label: words.modes[value] }))}
            onChange={(value) => void save('permission', value)}
          />
        </Setting>
        <Setting
          id="isolation"
          label={words.isolation}
          hint={words.isolationHint}
          fallback={{
            isSet: isSet('isolation'),
            words: words.isolations.none,
            onReset: () => void save('isolation', null),
          }}
        >
          <Segmented
            name={words.isolation}
            value={isolation}
            options={Isolation.options.map((value) => ({ value, label: words.isolations[value] }))}
            onChange={(value) => void save('isolation', value)}
          />
        </Setting>
      </Group>
      <Grants />
    </Section>
  );
}
