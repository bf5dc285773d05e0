import { useState } from 'react';
import { NumberField } from '../../ui/number-field.tsx';
import { settingsStrings as words } from '../../shared/settings-strings.ts';
import { Setting } from './setting.tsx';
import { useIsSet, useSave } from './use-settings.ts';

interface NumberSettingProps {
  /** Dotted key. */
  readonly path: string;
  readonly label: string;
  readonly hint: string;
  readonly unit: string;
  readonly value: number | null;
  /** The default; null is none. */
  readonly standard: number | null;
  /** What is said where there is no default. */
  readonly none: string;
  /** Why a number cannot be, or null. */
  readonly check: (value: number) => string | null;
}

/** One number of the settings file: written when the field is left or Enter is pressed; empty gives it back to its default. */
export function NumberSetting(props: NumberSettingProps) {
  const { path, label, hint, unit, value, standard, none, check } = props;
  const isSet = useIsSet()(path);
  const { save, error } = useSave();
  const [typed, setTyped] = useState<{ readonly number: number | null } | null>(null);
  const wrong = typed === null || typed.number === null ? null : check(typed.number);
  const commit = (): void => {
    if (typed === null || wrong !== null) return;
    setTyped(null);
    if (typed.number !== value || (typed.number === null && isSet)) void save(path, typed.number);
  };
  const shown = standard === null ? none : `${standard.toLocaleString()} ${unit}`;
  return (
    <Setting
      id={path}
      label={label}
      hint={hint}
      error={wrong ?? error}
      fallback={{ isSet, words: shown, onReset: () => void save(path, null) }}
    >
      <span
        className="flex items-center gap-2"
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      >
        <NumberField
          name={label}
          className="w-[88px]"
          value={typed === null ? value : typed.number}
          placeholder={standard === null ? none : String(standard)}
          wrong={wrong !== null}
          onChange={(number) => {
            setTyped({ number });
          }}
        />
        <span className="setting-unit" title={isSet ? words.setByYou : undefined}>
          {unit}
        </span>
      </span>
    </Setting>
  );
}
