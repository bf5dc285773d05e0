import { useQuery } from '@tanstack/react-query';
import type { HealthCheck } from '../../../core/protocol/health.ts';
import { PROTOCOL_VERSION } from '../../../core/protocol/version.ts';
import { api, core, describeFailure } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { diagnosticsText } from './diagnostics.ts';
import { Group, Note, Section, Setting } from './setting.tsx';

const words = settingsStrings.about;

/** The core looks; here it is only shown. It starts agents, and so only when it is asked to. */
async function look(): Promise<readonly HealthCheck[]> {
  return (await core.app.doctor()).checks;
}

/** The check mark is for what is here and well alone. */
function CheckLine({ check: { name, ok, note, detail } }: { readonly check: HealthCheck }) {
  const isWell = ok && note === undefined;
  const icon = isWell ? 'check' : note === 'absent' ? 'minus' : 'warning';
  const colour = isWell ? 'text-ok' : ok ? 'text-ink-2' : 'text-bad';
  return (
    <li className="settings-line min-h-[28px] py-1">
      <span className={colour}>
        <Icon name={icon} />
      </span>
      <span className="text-ink-2">
        {name}
        <span className="sr-note">{ok ? (note === undefined ? words.ok : words.notes[note]) : words.bad}</span>
      </span>
      <span className={`line-detail ${ok ? '' : 'text-bad-text'}`}>{visibleText(detail)}</span>
      <span />
    </li>
  );
}

function Doctor() {
  const query = useQuery({ queryKey: ['doctor'], queryFn: look, enabled: false });
  const checks = query.data;
  return (
    <div data-setting="doctor">
      <Group
        title={words.doctor}
        end={
          <>
            {checks !== undefined && (
              <CopyButton
                name={`${words.copy}: ${words.copyHint}`}
                label={words.copy}
                text={() => diagnosticsText(checks, navigator.userAgent)}
              />
            )}
            <Button disabled={query.isFetching} onClick={() => void query.refetch()}>
              {query.isFetching ? words.running : checks === undefined ? words.first : words.run}
            </Button>
          </>
        }
      >
        {query.error !== null && (
          <p role="alert" className="px-3 py-2 text-bad-text">
            {words.failed}: {describeFailure(query.error).message}
          </p>
        )}
        {checks === undefined && query.error === null && <Note>{query.isFetching ? words.running : words.notYet}</Note>}
        {checks !== undefined && (
          <ul className="settings-items" aria-label={words.doctor}>
            {checks.map((check) => (
              <CheckLine key={`${check.name} ${check.detail}`} check={check} />
            ))}
          </ul>
        )}
      </Group>
    </div>
  );
}

/** What runs here, where it keeps its files, and whether all is well. */
export function AboutSection() {
  const hello = useQuery(
    api.app.hello.queryOptions({ input: { protocol: PROTOCOL_VERSION, client: 'settings' } }),
  ).data;
  const written = useQuery(api.settings.written.queryOptions()).data;
  const places = [
    [words.settingsFile, written?.path],
    [words.dataFolder, hello?.home],
  ] as const;
  return (
    <Section title={settingsStrings.sections.about} intro={words.copyHint}>
      <Group>
        <Setting id="version" label={words.version} hint={words.protocol(PROTOCOL_VERSION)}>
          <span className="font-med">{hello?.version}</span>
        </Setting>
        {places.map(([label, path]) => (
          <Setting key={label} id={label} label={label} hint={<code>{visibleText(path ?? '')}</code>}>
            <CopyButton name={label} text={() => path ?? ''} />
          </Setting>
        ))}
        {written !== undefined && written.unknown.length > 0 && (
          <Note>
            {words.unknownKeys}: {written.unknown.map(visibleText).join(', ')}
          </Note>
        )}
      </Group>
      <Doctor />
    </Section>
  );
}
