import type { ProviderTest } from '../../../core/protocol/providers.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';

const words = settingsStrings.providers;
const LOOKS: Readonly<Record<ProviderTest['checks'][number]['state'], readonly [IconName, string]>> = {
  ok: ['check', 'text-ok'],
  bad: ['warning', 'text-bad'],
  unknown: ['info', 'text-ink-3'],
};

/** What a connection test has shown, and what to do. */
export function ProviderTestResult({ test }: { readonly test: ProviderTest }) {
  return (
    <div className="settings-below">
      <ul className="grid gap-1" aria-label={words.testResult(visibleText(test.id))}>
        {test.checks.map(({ about, state, words: said }) => (
          <li key={about} className="settings-check">
            <span className={LOOKS[state][1]}>
              <Icon name={LOOKS[state][0]} />
            </span>
            <span className="text-ink-3">
              {words.checks[about]}
              <span className="sr-note">{words.states[state]}</span>
            </span>
            <span className={state === 'bad' ? 'text-bad-text' : ''}>{visibleText(said)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-11 text-ink-3">
        {test.advice !== null && <span className="mr-2 font-med text-ink-1">{visibleText(test.advice)}</span>}
        {words.took(test.took)}
      </p>
    </div>
  );
}
