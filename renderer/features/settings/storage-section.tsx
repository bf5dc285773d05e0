import { useState } from 'react';
import type { GcReport } from '../../../core/protocol/gc.ts';
import { Retention } from '../../../core/protocol/settings.ts';
import { attempt, core } from '../../app/client.ts';
import { useApp } from '../../app/live-rows.ts';
import { formatBytes } from '../../shared/bytes.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { faultWords } from './fault-words.ts';
import { NumberSetting } from './number-setting.tsx';
import { Group, Section, Setting } from './setting.tsx';
import { useSettingValues } from './use-settings.ts';

const words = settingsStrings.storage;
/** Lines that are shown; the rest is counted. */
const MOST_LINES = 100;
const DEFAULTS = Retention.parse({});

const faultOf = (key: keyof Retention, value: number): string | null => {
  const parsed = Retention.shape[key].safeParse(value);
  return parsed.success ? null : faultWords(parsed.error);
};

function Items({ report }: { readonly report: GcReport }) {
  return (
    <ul className="settings-items" aria-label={words.list}>
      {report.items.slice(0, MOST_LINES).map((item) => (
        <li key={`${item.kind} ${item.project_id ?? ''} ${item.what}`} className="settings-line">
          <span />
          <span>
            {words.kinds[item.kind]}
            {item.bytes > 0 && <span className="ml-2 text-11 text-ink-3">{formatBytes(item.bytes)}</span>}
          </span>
          <span className="line-detail">
            <code>{visibleText(item.what)}</code>
            <span className="block text-11 text-ink-3">{visibleText(item.reason)}</span>
            {item.error !== null && <span className="block text-11 text-bad-text">{visibleText(item.error)}</span>}
          </span>
          <span />
        </li>
      ))}
      {report.items.length > MOST_LINES && (
        <li className="px-3 py-2 text-ink-3">{words.more(report.items.length - MOST_LINES)}</li>
      )}
    </ul>
  );
}

function outcomeOf(report: GcReport): string {
  const { dry_run, items, bytes } = report;
  if (items.length === 0) return words.nothing;
  if (dry_run) return words.would(items.length, formatBytes(bytes));
  const done = items.filter((item) => item.done).length;
  const left = items.length - done;
  return `${words.done(done, formatBytes(bytes))}${left > 0 ? ` ${words.left(left)}` : ''}`;
}

/** What can go is shown before anything goes. */
function CleanUp() {
  const [report, setReport] = useState<GcReport | null>(null);
  const [busy, setBusy] = useState<'look' | 'remove' | null>(null);
  const run = (dry_run: boolean): void => {
    setBusy(dry_run ? 'look' : 'remove');
    void attempt(words.lookFailed, async () => {
      setReport(await core.storage.gc({ dry_run }));
    }).finally(() => {
      setBusy(null);
    });
  };
  const count = report?.dry_run === true ? report.items.length : 0;
  return (
    <Group title={words.clean}>
      <Setting id="gc" label={report === null ? words.clean : outcomeOf(report)} hint={words.cleanHint}>
        {count > 0 && (
          <Button
            disabled={busy !== null}
            onClick={() => {
              run(false);
            }}
          >
            {busy === 'remove' ? words.removing : words.remove(count)}
          </Button>
        )}
        <Button
          disabled={busy !== null}
          onClick={() => {
            run(true);
          }}
        >
          {busy === 'look' ? words.looking : words.look}
        </Button>
      </Setting>
      {report !== null && report.items.length > 0 && <Items report={report} />}
    </Group>
  );
}

/** Where the data is, how long it is kept, and what can go. */
export function StorageSection() {
  const retention = useSettingValues()?.retention;
  const home = useApp()?.home ?? '';
  const common = { unit: words.days, none: words.forEver } as const;
  return (
    <Section title={settingsStrings.sections.storage} intro={words.intro}>
      <Group>
        <Setting id="home" label={words.folder} hint={<code>{visibleText(home)}</code>}>
          <CopyButton name={`${words.folder}`} text={() => home} />
        </Setting>
      </Group>
      {retention !== undefined && (
        <Group title={words.keep}>
          <NumberSetting
            {...common}
            path="retention.fileDays"
            label={words.files}
            hint={words.filesHint}
            value={retention.fileDays}
            standard={DEFAULTS.fileDays}
            check={(value) => faultOf('fileDays', value)}
          />
          <NumberSetting
            {...common}
            path="retention.conversationDays"
            label={words.conversations}
            hint={words.conversationsHint}
            value={retention.conversationDays ?? null}
            standard={null}
            check={(value) => faultOf('conversationDays', value)}
          />
        </Group>
      )}
      <CleanUp />
    </Section>
  );
}
