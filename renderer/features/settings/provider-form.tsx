import { useId, useState, type ReactNode } from 'react';
import { ProviderSettings } from '../../../core/protocol/settings.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { faultOf, providerOf, type ProviderDraft } from './provider-draft.ts';
import { useSave } from './use-settings.ts';

const words = settingsStrings.providers;

function Field({
  id,
  label,
  hint,
  fault,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly fault: string | null;
  readonly children: ReactNode;
}) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div>
        {children}
        <p id={`${id}-hint`} className={`mt-1 text-11 ${fault === null ? 'text-ink-3' : 'text-bad-text'}`}>
          {fault ?? hint}
        </p>
      </div>
    </>
  );
}

type Change = (change: Partial<ProviderDraft>) => void;

/** One line of text. */
function TextField({
  id,
  field,
  label,
  hint,
  fault,
  draft,
  onChange,
  readOnly = false,
  autoFocus = false,
}: {
  readonly id: string;
  readonly field: 'id' | 'baseUrl' | 'apiKeyEnv';
  readonly label: string;
  readonly hint: string;
  readonly fault: string | null;
  readonly draft: ProviderDraft;
  readonly onChange: Change;
  readonly readOnly?: boolean;
  readonly autoFocus?: boolean;
}) {
  return (
    <Field id={`${id}-${field}`} label={label} hint={hint} fault={fault}>
      <input
        id={`${id}-${field}`}
        className="field"
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${id}-${field}-hint`}
        aria-invalid={fault === null ? undefined : true}
        readOnly={readOnly}
        autoFocus={autoFocus}
        value={draft[field]}
        onChange={(event) => {
          onChange({ [field]: event.target.value });
        }}
      />
    </Field>
  );
}

function Fields({
  id,
  draft,
  isNew,
  faultAt,
  onChange,
}: {
  readonly id: string;
  readonly draft: ProviderDraft;
  readonly isNew: boolean;
  readonly faultAt: (field: keyof ProviderDraft) => string | null;
  readonly onChange: Change;
}) {
  const text = (field: 'id' | 'baseUrl' | 'apiKeyEnv') => ({ id, field, draft, onChange, fault: faultAt(field) });
  return (
    <>
      <TextField {...text('id')} label={words.id} hint={words.idHint} readOnly={!isNew} autoFocus={isNew} />
      <span className="form-label">{words.kind}</span>
      <Select
        name={words.kind}
        className="w-[200px]"
        value={draft.kind}
        options={ProviderSettings.shape.kind.options.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
        onChange={(kind) => {
          onChange({ kind: kind as ProviderDraft['kind'] });
        }}
      />
      <TextField {...text('baseUrl')} label={words.url} hint={words.urlHint} autoFocus={!isNew} />
      <TextField {...text('apiKeyEnv')} label={words.key} hint={words.keyHint} />
      <Field id={`${id}-models`} label={words.models} hint={words.modelsHint} fault={null}>
        <textarea
          id={`${id}-models`}
          className="field"
          rows={3}
          spellCheck={false}
          aria-describedby={`${id}-models-hint`}
          value={draft.models}
          onChange={(event) => {
            onChange({ models: event.target.value });
          }}
        />
      </Field>
    </>
  );
}

function Foot({
  headers,
  error,
  onCancel,
}: {
  readonly headers: readonly string[];
  readonly error: string | null;
  readonly onCancel: () => void;
}) {
  return (
    <>
      <span />
      <div className="flex flex-wrap items-center gap-2">
        <span className="grow text-11 text-ink-3">
          {headers.length > 0 && words.headers(headers.join(', '))}
          {error !== null && (
            <span role="alert" className="block text-bad-text">
              {error}
            </span>
          )}
        </span>
        <Button onClick={onCancel}>{settingsStrings.cancel}</Button>
        <Button kind="primary" type="submit">
          {settingsStrings.save}
        </Button>
      </div>
    </>
  );
}

/** Adds a provider or changes one. A key is never typed here: only the name of the variable that holds it (K4). */
export function ProviderForm({
  first,
  before,
  taken,
  onDone,
}: {
  readonly first: ProviderDraft;
  /** The provider that is changed; undefined for a new one. */
  readonly before: ProviderSettings | undefined;
  readonly taken: readonly string[];
  readonly onDone: () => void;
}) {
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const { save, error } = useSave();
  const id = useId();
  const fault = faultOf(draft, taken);
  const at = (field: keyof ProviderDraft): string | null => (tried && fault?.field === field ? fault.words : null);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (fault !== null) document.getElementById(`${id}-${fault.field}`)?.focus();
    else if (await save(`providers.${draft.id.trim()}`, providerOf(draft, before))) onDone();
  };
  const title = before === undefined ? words.addTitle : words.editTitle(draft.id);
  return (
    <form
      aria-label={title}
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    >
      <Fields
        id={id}
        draft={draft}
        isNew={before === undefined}
        faultAt={at}
        onChange={(change) => {
          setDraft({ ...draft, ...change });
        }}
      />
      <Foot headers={Object.keys(before?.headers ?? {})} error={error} onCancel={onDone} />
    </form>
  );
}
