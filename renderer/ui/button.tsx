import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { chordCaps } from '../shared/keys.ts';
import { Icon, type IconName } from './icon.tsx';

/** A key or chord as a cap: `<KeyCap chord="mod+k" />`. */
export function KeyCap({ chord }: { readonly chord: string }) {
  return (
    <kbd className="key-cap" aria-hidden>
      {chordCaps(chord)}
    </kbd>
  );
}

const KINDS = { plain: '', primary: 'btn-primary', need: 'btn-need', text: 'btn-text' } as const;

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> {
  readonly kind?: keyof typeof KINDS;
  readonly big?: boolean;
  readonly icon?: IconName;
  readonly chord?: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with words. `primary` is the one action that the place exists for. */
export function Button({ kind = 'plain', big = false, icon, chord, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`btn ${KINDS[kind]} ${big ? 'btn-big' : ''} ${className}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {chord !== undefined && <KeyCap chord={chord} />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly icon: IconName;
  /** The accessible name, shown as the tooltip too. */
  readonly name: string;
  readonly chord?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** One of the standard actions as an icon; it always has a name. */
export function IconButton({ icon, name, chord, className = '', ...rest }: IconButtonProps) {
  const hint = chord === undefined ? name : `${name} (${chordCaps(chord)})`;
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={rest['aria-label'] ?? name}
      title={hint}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** An on/off switch. */
export function Switch({
  name,
  checked,
  onChange,
}: {
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={checked}
      aria-label={name}
      onClick={() => {
        onChange(!checked);
      }}
    />
  );
}
