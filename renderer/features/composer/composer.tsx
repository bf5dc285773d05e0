import { List } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { onlyImages } from '../../app/image-files.ts';
import { useConversation } from '../../app/live-rows.ts';
import { onFocusRequest, openOverlay, ui, useDraft } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button, KeyCap } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { attachImages } from './attached-images.ts';
import { CompletionList, lineId } from './completion-list.tsx';
import { ImageList } from './image-list.tsx';
import { useCompletion } from './use-completion.ts';
import { NoModel } from './no-model.tsx';
import { useLeadChoices, type LeadChoices } from './use-lead-choices.ts';
import { useSend, type Choice, type Destination } from './use-send.ts';
import './composer.css';

const words = startStrings.composer;

const NO_CHOICE: Choice = { agent: '', model: '' };

function Choices({
  offered: { agents, models, price },
  changes,
  choice,
  onChange,
}: {
  readonly offered: LeadChoices;
  /** What is chosen is another than the lead has. */
  readonly changes: boolean;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}) {
  return (
    <span className="composer-choices" title={price === '' ? undefined : price}>
      {changes && (
        <span role="status" className="text-11 text-ink-3">
          {words.fromHere}
        </span>
      )}
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
      {price !== '' && <span className="composer-price">{price}</span>}
    </span>
  );
}

/** The text box: Enter sends, `@` completes, images that are pasted into it go along. */
function Box({ to, text, onSend }: { readonly to: Destination; readonly text: string; readonly onSend: () => void }) {
  const { place, project, conversation } = to;
  const box = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const setText = (next: string): void => ui.keepDraft(place, next);
  const completion = useCompletion(box, { project, conversation }, setText);
  const hasLead = useConversation(conversation)?.lead_run_id != null;
  const completing = completion.items.length > 0;
  useEffect(() => onFocusRequest('composer', () => box.current?.focus()), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (completion.onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <>
      <CompletionList id={list} completion={completion} />
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={words.label}
        aria-autocomplete="list"
        aria-controls={completing ? list : undefined}
        aria-activedescendant={completing ? lineId(list, completion.at) : undefined}
        placeholder={project === null ? words.noProject : hasLead ? words.placeholderNext : words.placeholder}
        value={text}
        disabled={project === null}
        onChange={(event) => {
          setText(event.target.value);
          completion.look();
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

/** Takes images that are pasted or dropped here; everything else is left to others. */
function useImageTaker({ place, project }: Destination): (event: ClipboardEvent | DragEvent) => void {
  return (event) => {
    const transfer = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
    const images = onlyImages([...transfer.files]);
    if (images === null || project === null) return;
    event.preventDefault();
    void attachImages(place, project, images);
  };
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
  const to: Destination = { place, project: projectId, conversation: conversationId };
  const text = useDraft(place);
  const [choice, setChoice] = useState(NO_CHOICE);
  // What was chosen holds from this message on: afterwards it is what the lead has.
  const { sending, send } = useSend(to, choice, () => {
    setChoice(NO_CHOICE);
  });
  const takeImages = useImageTaker(to);
  const offered = useLeadChoices(projectId, conversationId, choice);
  const maySend = !sending && projectId !== null && !offered.lacksModel;
  const submit = (): void => {
    if (maySend) void send(text);
  };
  const changes = conversationId !== null && (choice.agent !== '' || choice.model !== '');
  return (
    <form
      className="composer"
      aria-label={words.label}
      onPaste={takeImages}
      onDrop={takeImages}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {offered.lacksModel && <NoModel atHome={conversationId === null} />}
      <div className="composer-box">
        <ImageList place={place} />
        <Box to={to} text={text} onSend={submit} />
        <Choices offered={offered} changes={changes} choice={choice} onChange={setChoice} />
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
      <Button big kind="primary" type="submit" disabled={!maySend || text.trim() === ''}>
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
