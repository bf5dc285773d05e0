import { useState, type KeyboardEvent } from 'react';
import type { AskRow } from '../../../core/protocol/rows.ts';
import { useProject } from '../../app/live-rows.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { Button } from '../../ui/button.tsx';
import { answer, useAnswering } from './answers.ts';
import { AskDetail } from './ask-detail.tsx';
import { useAsker } from './ask-who.tsx';
import { consents, type AskChoice, type Choice } from './ask-words.ts';
import { NoteForm } from './note-form.tsx';

const words = runStrings.asks;

interface FormProps {
  readonly ask: AskRow;
  /** Large buttons, as in the inbox. */
  readonly big?: boolean;
  /** Called when an answer of ours was taken. */
  readonly onAnswered?: () => void;
}

function isText(target: EventTarget): boolean {
  return target instanceof HTMLElement && /^(?:TEXTAREA|INPUT)$/.test(target.tagName);
}

const isPlain = (event: KeyboardEvent): boolean => !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey;

/** Answers by key: `a`, `r`, `s`, `p`, and `d` for a refusal with a note. */
function useKeys(choices: readonly AskChoice[], give: (choice: Choice) => void, deny: () => void, off: boolean) {
  return (event: KeyboardEvent): void => {
    if (off || isText(event.target) || !isPlain(event)) return;
    const choice = choices.find(({ key }) => key === event.key);
    if (choice === undefined && event.key !== 'd') return;
    event.preventDefault();
    event.stopPropagation();
    if (choice === undefined) deny();
    else give(choice.choice);
  };
}

function Consents({
  choices,
  big,
  busy,
  onChoice,
  onDeny,
}: {
  readonly choices: readonly AskChoice[];
  readonly big: boolean;
  readonly busy: boolean;
  readonly onChoice: (choice: Choice) => void;
  readonly onDeny: () => void;
}) {
  return (
    <div className="ask-buttons">
      {choices.map(({ choice, label, key }, place) => (
        <Button
          key={choice}
          big={big}
          kind={place === 0 ? 'primary' : 'plain'}
          chord={key}
          disabled={busy}
          onClick={() => {
            onChoice(choice);
          }}
        >
          {label}
        </Button>
      ))}
      <Button className="ask-deny" big={big} chord="d" disabled={busy} onClick={onDeny}>
        {words.deny}
      </Button>
    </div>
  );
}

function useProjectName(ask: AskRow): string {
  const project = useProject(ask.project_id);
  return project?.name ?? words.project;
}

/** A permission: exactly what would happen, and the consents. */
function PermissionForm({ ask, big = false, onAnswered }: FormProps) {
  const choices = consents(useAsker(ask)?.set ?? null, useProjectName(ask));
  const busy = useAnswering(ask.ask_id)?.state === 'answering';
  const [denying, setDenying] = useState(false);
  const give = (choice: Choice, note: string | null = null): void => {
    void answer(ask.ask_id, choice, note).then((taken) => {
      if (taken) onAnswered?.();
    });
  };
  const deny = (): void => {
    setDenying(true);
  };
  const onKeyDown = useKeys(choices, give, deny, busy || denying);
  return (
    <div tabIndex={-1} className="ask-form" onKeyDown={onKeyDown}>
      <AskDetail ask={ask} />
      {denying ? (
        <NoteForm
          label={words.note}
          place={words.notePlace}
          action={words.denySend}
          busy={busy}
          mayBeEmpty
          onSend={(note) => {
            give('deny', note);
          }}
          onCancel={() => {
            setDenying(false);
          }}
        />
      ) : (
        <Consents choices={choices} big={big} busy={busy} onChoice={give} onDeny={deny} />
      )}
    </div>
  );
}

/** A question: answered in one's own words, or not at all. */
function QuestionForm({ ask, onAnswered }: FormProps) {
  const busy = useAnswering(ask.ask_id)?.state === 'answering';
  const give = (choice: Choice, note: string | null): void => {
    void answer(ask.ask_id, choice, note).then((taken) => {
      if (taken) onAnswered?.();
    });
  };
  return (
    <div tabIndex={-1} className="ask-form">
      {ask.detail.trim() !== '' && ask.detail !== ask.title && <AskDetail ask={ask} />}
      <NoteForm
        label={words.answer}
        place={words.answerPlace}
        action={words.send}
        busy={busy}
        onSend={(text) => {
          give('text', text);
        }}
        onCancel={() => {
          give('deny', null);
        }}
        cancel={words.decline}
      />
    </div>
  );
}

/** The answer to one ask, with its keys while the focus is inside `.ask-form`. */
export function AskForm(props: FormProps) {
  const answering = useAnswering(props.ask.ask_id);
  return (
    <>
      {props.ask.kind === 'question' ? <QuestionForm {...props} /> : <PermissionForm {...props} />}
      <p role="status" className="text-11 text-ink-3">
        {answering?.state === 'answering' && words.answering}
      </p>
      {answering?.state === 'failed' && (
        <p role="alert" className="mt-1 text-bad-text select-text">
          {words.failed} {answering.message}
        </p>
      )}
    </>
  );
}
