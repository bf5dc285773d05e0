import { List } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { attempt, clientToken, core } from '../../app/client.ts';
import { useConversation } from '../../app/live-rows.ts';
import { onFocusRequest, openOverlay, ui, useDraft } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button, KeyCap } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { useLeadChoices } from './use-lead-choices.ts';
import './composer.css';

const words = startStrings.composer;

interface Choice {
  readonly agent: string;
  readonly model: string;
}

const NO_CHOICE: Choice = { agent: '', model: '' };

/** Sends a message; the token stays the same until the text changes, so that a second try makes no second message (S7). */
function useSend(place: string, projectId: string | null, conversationId: string | null, choice: Choice) {
  const [sending, setSending] = useState(false);
  const sent = useRef({ text: '', token: '' });
  const send = async (text: string): Promise<void> => {
    if (sending || projectId === null || text.trim() === '') return;
    if (sent.current.text !== text) sent.current = { text, token: clientToken() };
    setSending(true);
    await attempt(words.sendFailed, async () => {
      const answer = await core.leads.send({
        project_id: projectId,
        conversation_id: conversationId,
        text,
        client_token: sent.current.token,
        options: {
          ...(choice.agent === '' ? {} : { agent: choice.agent }),
          ...(choice.model === '' ? {} : { model: choice.model }),
        },
      });
      sent.current = { text: '', token: '' };
      ui.keepDraft(place, '');
      ui.openConversation(answer.conversation_id);
    });
    setSending(false);
  };
  return { sending, send };
}

function Choices({
  conversationId,
  choice,
  onChange,
}: {
  readonly conversationId: string | null;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}) {
  const { agents, models } = useLeadChoices(conversationId, choice.agent);
  return (
    <span className="composer-choices">
      <Select
        bare
        name={words.agent}
        value={choice.agent}
        options={agents}
        onChange={(agent) => onChange({ agent, model: '' })}
      />
      <Select
        bare
        name={words.model}
        value={choice.model}
        options={models}
        disabled={models.length < 2}
        onChange={(model) => onChange({ ...choice, model })}
      />
    </span>
  );
}

/** The box for a lead's prompt or next message, and the way to a batch. `projectId: null` says what is missing. */
export function Composer({
  projectId,
  conversationId,
}: {
  readonly projectId: string | null;
  readonly conversationId: string | null;
}) {
  const place = conversationId === null ? `new:${projectId ?? ''}` : `lead:${conversationId}`;
  const text = useDraft(place);
  const [choice, setChoice] = useState(NO_CHOICE);
  const box = useRef<HTMLTextAreaElement>(null);
  const { sending, send } = useSend(place, projectId, conversationId, choice);
  const hasLead = useConversation(conversationId)?.lead_run_id != null;
  useEffect(() => onFocusRequest('composer', () => box.current?.focus()), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send(text);
  };
  return (
    <form
      className="composer"
      aria-label={words.label}
      onSubmit={(event) => {
        event.preventDefault();
        void send(text);
      }}
    >
      <div className="composer-box">
        <textarea
          ref={box}
          rows={1}
          aria-label={words.label}
          placeholder={projectId === null ? words.noProject : hasLead ? words.placeholderNext : words.placeholder}
          value={text}
          disabled={projectId === null}
          onChange={(event) => ui.keepDraft(place, event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Choices conversationId={conversationId} choice={choice} onChange={setChoice} />
        {text === '' && conversationId === null && <KeyCap chord="mod+n" />}
      </div>
      <Button
        big
        onClick={() =>
          openOverlay({ type: 'batch', project_id: projectId, conversation_id: conversationId, text: '', name: null })
        }
      >
        <List size={16} strokeWidth={1.5} aria-hidden />
        {words.batch}
      </Button>
      <Button big kind="primary" type="submit" disabled={sending || projectId === null || text.trim() === ''}>
        {sending ? words.sending : words.send}
      </Button>
    </form>
  );
}

/** The composer at the foot of a conversation's tree. */
export function ConversationComposer({ conversationId }: { readonly conversationId: string }) {
  const conversation = useConversation(conversationId);
  if (conversation === undefined) return null;
  return <Composer key={conversationId} projectId={conversation.project_id} conversationId={conversationId} />;
}
