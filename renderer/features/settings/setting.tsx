import type { ReactNode } from 'react';
import { settingsStrings as words } from '../../shared/settings-strings.ts';

/** One section: its name as a heading, what it is about, and its groups. */
export function Section({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="settings-section" aria-label={title}>
      <h2 className="text-15 font-semi">{title}</h2>
      <p className="settings-intro">{intro}</p>
      {children}
    </section>
  );
}

/** A card of settings or things under a small heading; `end` stands at its right. */
export function Group({
  title,
  end,
  children,
}: {
  readonly title?: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="settings-group">
      {title !== undefined && (
        <div className="settings-group-title">
          <h3>{title}</h3>
          {end}
        </div>
      )}
      <div className="settings-card">{children}</div>
    </div>
  );
}

/** What a setting has when the user's file says nothing, and how to give a value back. */
export interface DefaultOf {
  readonly isSet: boolean;
  readonly words: string;
  readonly onReset: () => void;
}

/** One setting: name, hint, its default, and its control at the right. `id` is where the search and the palette lead. */
export function Setting({
  id,
  label,
  hint,
  fallback,
  error,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fallback?: DefaultOf;
  readonly error?: string | null;
  readonly children: ReactNode;
}) {
  return (
    <div className="setting" data-setting={id}>
      <div className="setting-words">
        <p className="font-med">{label}</p>
        {hint !== undefined && <p className="text-11 text-ink-3">{hint}</p>}
        {error !== null && error !== undefined && (
          <p role="alert" className="text-11 text-bad-text">
            {error}
          </p>
        )}
      </div>
      <div className="setting-control">
        {fallback !== undefined && <Fallback label={label} {...fallback} />}
        {children}
      </div>
    </div>
  );
}

function Fallback({ label, isSet, words: value, onReset }: DefaultOf & { readonly label: string }) {
  if (!isSet) return null;
  return (
    <>
      <span className="setting-default">{words.byDefault(value)}</span>
      <button
        type="button"
        className="link flex-none"
        aria-label={words.resetOf(label)}
        onClick={(event) => {
          // It goes away: the focus stays in its row.
          const row = event.currentTarget.closest('[data-setting]');
          row?.querySelector<HTMLElement>('select, input, [role="radio"][tabindex="0"]')?.focus();
          onReset();
        }}
      >
        {words.reset}
      </button>
    </>
  );
}

/** A line in a card that says there is nothing, or what a list is waiting for. */
export function Note({ children }: { readonly children: ReactNode }) {
  return <p className="px-3 py-2.5 text-ink-3">{children}</p>;
}
