import { useId, useState, type ReactNode } from 'react';
import { visibleText } from '../../shared/visible-text.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { changeOf, type FormField } from './agent-draft.ts';
import type { AgentEditor } from './use-agent-editor.ts';

/** What was typed stands until the definition says something else. */
export function useTyped(value: string): {
  readonly shown: string;
  readonly changed: boolean;
  readonly type: (text: string) => void;
} {
  const [typed, setTyped] = useState({ text: value, of: value });
  const shown = typed.of === value ? typed.text : value;
  return { shown, changed: shown !== value, type: (text) => setTyped({ text, of: value }) };
}

/** What is wrong or odd with a field, beside it. */
function Said({
  editor,
  field,
  id,
  hint,
}: {
  readonly editor: AgentEditor;
  readonly field: string;
  readonly id: string;
  readonly hint?: string | undefined;
}) {
  const found = editor.review?.fields.find((one) => one.field === field);
  const warnings = found?.warnings ?? [];
  return (
    <div id={`${id}-said`}>
      {found?.fault != null && (
        <p className="mt-1 text-11 text-bad-text">{visibleText(`${found.name} ${found.fault}`)}</p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="mt-1 text-11 text-warn">
          {visibleText(warning)}
        </p>
      ))}
      {hint !== undefined && found?.fault == null && warnings.length === 0 && (
        <p className="mt-1 text-11 text-ink-3">{hint}</p>
      )}
    </div>
  );
}

interface FieldProps {
  readonly editor: AgentEditor;
  readonly field: FormField;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** One line of text of a definition; it is taken over when it is left. */
export function AgentText({
  editor,
  field,
  label,
  value,
  hint,
  list,
  autoFocus = false,
}: FieldProps & { readonly list?: ReactNode; readonly autoFocus?: boolean }) {
  const id = useId();
  const { shown, type, changed } = useTyped(value);
  const take = (): void => {
    if (changed) void editor.change({ set: changeOf(field, shown) });
  };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div>
        <input
          id={id}
          className="field"
          autoComplete="off"
          spellCheck={field === 'description'}
          autoFocus={autoFocus}
          list={list === undefined ? undefined : `${id}-list`}
          aria-describedby={`${id}-said`}
          value={shown}
          onChange={(event) => {
            type(event.target.value);
          }}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
          }}
        />
        {list !== undefined && <datalist id={`${id}-list`}>{list}</datalist>}
        <Said editor={editor} field={field} id={id} hint={hint} />
      </div>
    </>
  );
}

/** One choice of a few of a definition. */
export function AgentChoice({
  editor,
  field,
  label,
  value,
  hint,
  options,
}: FieldProps & { readonly options: readonly SelectOption[] }) {
  const id = useId();
  return (
    <>
      <span className="form-label">{label}</span>
      <div>
        <Select
          name={label}
          className="w-[240px]"
          value={value}
          options={options}
          describedBy={`${id}-said`}
          onChange={(next) => void editor.change({ set: changeOf(field, next) })}
        />
        <Said editor={editor} field={field} id={id} hint={hint} />
      </div>
    </>
  );
}
