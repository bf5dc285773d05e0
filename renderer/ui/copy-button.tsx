import { useEffect, useState } from 'react';
import { runStrings } from '../shared/run-strings.ts';
import { Icon } from './icon.tsx';

/** How long the check stays after copying. */
const SHOWN_MS = 1500;

/** Copies a text; the icon says that it did. */
export function CopyButton({
  name,
  text,
  label,
  className = '',
}: {
  readonly name: string;
  /** Called when pressed, so that large texts are only made then. */
  readonly text: () => string;
  /** Words on the button, when there are several to tell apart. */
  readonly label?: string;
  readonly className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  return (
    <button
      type="button"
      className={`${label === undefined ? 'icon-button' : 'btn btn-text'} ${className}`}
      aria-label={copied ? [runStrings.copied, label].filter(Boolean).join(' ') : name}
      title={name}
      onClick={() => {
        navigator.clipboard.writeText(text()).then(
          () => {
            setCopied(true);
          },
          () => {
            setCopied(false);
          },
        );
      }}
    >
      {(copied || label === undefined) && <Icon name={copied ? 'check' : 'copy'} />}
      {label}
    </button>
  );
}
