import { useId, useState } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { Button } from '../../ui/button.tsx';

interface NoteProps {
  readonly label: string;
  readonly place: string;
  readonly action: string;
  readonly cancel?: string;
  readonly busy: boolean;
  readonly mayBeEmpty?: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** A short text to an agent: Enter sends, Shift Enter makes a line, Escape takes it back. */
export function NoteForm({
  label,
  place,
  action,
  cancel = runStrings.asks.cancel,
  busy,
  mayBeEmpty = false,
  onSend,
  onCancel,
}: NoteProps) {
  const [text, setText] = useState('');
  const id = useId();
  const off = busy || (!mayBeEmpty && text.trim() === '');
  const send = (): void => {
    if (!off) onSend(text.trim());
  };
  return (
    <div
      className="ask-note"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && mayBeEmpty) {
          event.stopPropagation();
          onCancel();
        }
      }}
    >
      <label htmlFor={id} className="text-11 text-ink-3">
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        className="field"
        placeholder={place}
        value={text}
        // The form was asked for by a key or button: the next thing to do is to write.
        autoFocus={mayBeEmpty}
        onChange={(event) => {
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="flex justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          {cancel}
        </Button>
        <Button kind="primary" chord="enter" disabled={off} onClick={send}>
          {action}
        </Button>
      </div>
    </div>
  );
}
