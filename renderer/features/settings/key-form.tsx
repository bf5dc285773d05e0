import { useId, useState } from 'react';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { changeKey, type KeyPlace } from './use-providers.ts';

const words = settingsStrings.providers;

function Where({
  place,
  variable,
  agreed,
  onAgree,
}: {
  readonly place: KeyPlace;
  readonly variable: string;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
}) {
  if (place.where === 'keychain') return <p className="text-11 text-ink-3">{visibleText(place.detail)}</p>;
  return (
    <>
      <p className="text-11 text-ink-3">
        {place.detail === '' ? words.noKeychain(variable) : `${visibleText(place.detail)} `}
      </p>
      <label className="mt-1.5 flex items-start gap-2">
        <input
          type="checkbox"
          checked={agreed}
          onChange={(event) => {
            onAgree(event.target.checked);
          }}
        />
        <span>
          {words.inFile} <code>{visibleText(place.path ?? '')}</code>
        </span>
      </label>
    </>
  );
}

function KeyField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div>
        <input
          id={id}
          type="password"
          className="field"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
        <p className="mt-1 text-11 text-ink-3">{hint}</p>
      </div>
    </>
  );
}

function Refused({ words: said }: { readonly words: string | null }) {
  if (said === null) return null;
  return (
    <p role="alert" className="mt-1 text-bad-text">
      {visibleText(said)}
    </p>
  );
}

/** Takes a key for one variable. What was typed is given away and forgotten; it is never shown again (K4). `prepare` settles what has to be so before. */
export function KeyForm({
  id,
  variable,
  place,
  prepare,
  keep = words.keepKey,
  onDone,
}: {
  readonly id: string;
  readonly variable: string;
  readonly place: KeyPlace;
  readonly prepare: () => Promise<boolean>;
  /** What the button says. */
  readonly keep?: string;
  readonly onDone: (kept: boolean) => void;
}) {
  const [key, setKey] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const name = visibleText(id);
  const isKept = place.names.includes(variable);
  const maySave = key.trim().length >= 8 && (place.where === 'keychain' || agreed || isKept);
  const change = async (value: string | null): Promise<void> => {
    const problem = (await prepare()) ? await changeKey(place, variable, value) : '';
    setKey('');
    setRefused(problem);
    if (problem === null) onDone(value !== null);
  };
  return (
    <form
      aria-label={words.keyOf(name)}
      className="settings-form settings-below"
      onSubmit={(event) => {
        event.preventDefault();
        if (maySave) void change(key.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone(false);
      }}
    >
      <KeyField label={words.keyOf(name)} hint={words.keyStays(visibleText(variable))} value={key} onChange={setKey} />
      <span className="form-label">{words.keptIn}</span>
      <div>
        <Where place={place} variable={visibleText(variable)} agreed={agreed || isKept} onAgree={setAgreed} />
        <Refused words={refused ?? place.problem} />
      </div>
      <span />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isKept && <Button onClick={() => void change(null)}>{words.forgetKey}</Button>}
        <Button onClick={() => onDone(false)}>{settingsStrings.cancel}</Button>
        <Button kind="primary" type="submit" disabled={!maySave}>
          {keep}
        </Button>
      </div>
    </form>
  );
}
