import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Switch } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { useSave, useSettingValues } from './use-settings.ts';

const words = settingsStrings.notifications;

/** What the desktop's notifications tell, and of which projects. */
export function NotificationsSection() {
  const notifications = useSettingValues()?.notifications;
  const projects = useProjects();
  const { save, error } = useSave();
  if (notifications === undefined) return <Note>{settingsStrings.loading}</Note>;
  const { doNotDisturb, hideContent, projects: chosen } = notifications;
  return (
    <Section title={settingsStrings.sections.notifications} intro={words.intro}>
      <Group>
        <Setting id="notifications.doNotDisturb" label={words.disturb} hint={words.disturbHint} error={error}>
          <Switch
            name={words.disturb}
            checked={doNotDisturb}
            onChange={(on) => void save('notifications.doNotDisturb', on ? true : null)}
          />
        </Setting>
        <Setting id="notifications.hideContent" label={words.hide} hint={words.hideHint}>
          <Switch
            name={words.hide}
            checked={hideContent}
            onChange={(on) => void save('notifications.hideContent', on ? true : null)}
          />
        </Setting>
      </Group>
      <DesktopGroup />
      {projects.length > 0 && (
        <Group title={words.projects}>
          {projects.map(({ project_id, name, path }) => (
            <Setting
              key={project_id}
              id="notifications.projects"
              label={visibleText(name)}
              hint={<span title={path}>{visibleText(path)}</span>}
            >
              <Select
                name={words.projectOf(visibleText(name))}
                className="w-[160px] flex-none"
                value={chosen[project_id] ?? 'all'}
                options={[
                  { value: 'all', label: words.all },
                  { value: 'none', label: words.none },
                ]}
                onChange={(value) => void save(`notifications.projects.${project_id}`, value === 'all' ? null : value)}
              />
            </Setting>
          ))}
        </Group>
      )}
    </Section>
  );
}

const DESKTOP = [
  ['closeToTray', words.tray, words.trayHint],
  ['keepAwake', words.awake, words.awakeHint],
  ['checkForUpdates', words.updates, words.updatesHint],
] as const;

/** What only the desktop does; each is on unless it is put off. */
function DesktopGroup() {
  return (
    <Group title={words.desktop}>
      {DESKTOP.map(([key, name, hint]) => (
        <DesktopSwitch key={key} of={key} name={name} hint={hint} />
      ))}
    </Group>
  );
}

function DesktopSwitch({ of, name, hint }: { of: (typeof DESKTOP)[number][0]; name: string; hint: string }) {
  const on = useSettingValues()?.desktop[of];
  const { save, error } = useSave();
  return (
    <Setting id={`desktop.${of}`} label={name} hint={hint} error={error}>
      <Switch name={name} checked={on ?? true} onChange={(next) => void save(`desktop.${of}`, next ? null : false)} />
    </Setting>
  );
}
