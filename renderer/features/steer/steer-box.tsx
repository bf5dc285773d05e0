import { useEffect, useId, useRef } from 'react';
import type { RunRow, SteerMode } from '../../../core/protocol/rows.ts';
import { useRun, useSteers } from '../../app/live-rows.ts';
import { onFocusRequest, ui, useDraft } from '../../app/ui-store.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Ledger } from './ledger.tsx';
import { boxState, modeOfKey } from './steer-state.ts';
import { draftPlace, useSend, type Way } from './use-send.ts';
import './steer.css';

interface BoxProps {
  readonly run: RunRow;
  readonly way: Way;
}

const SEND = {
  steer: runStrings.steer.steer,
  message: runStrings.steer.send,
  continue: runStrings.steer.continue,
} as const satisfies Record<Way, string>;
const NAMES = {
  steer: runStrings.steer.name,
  message: runStrings.steer.placeMessage,
  continue: runStrings.steer.continueName,
} as const satisfies Record<Way, string>;
const PLACES = {
  steer: runStrings.steer.place,
  message: runStrings.steer.placeMessage,
  continue: runStrings.steer.placeContinue,
} as const satisfies Record<Way, string>;

function Buttons({
  way,
  empty,
  sending,
  onSend,
}: {
  readonly way: Way;
  readonly empty: boolean;
  readonly sending: boolean;
  readonly onSend: (mode: SteerMode) => void;
}) {
  const words = runStrings.steer;
  const off = empty || sending;
  return (
    <>
      {way === 'steer' && (
        <Button
          chord="mod+enter"
          disabled={off}
          onClick={() => {
            onSend('follow_up');
          }}
        >
          {words.followUp}
        </Button>
      )}
      <Button
        kind="primary"
        chord="enter"
        disabled={off}
        onClick={() => {
          onSend('steer');
        }}
      >
        {sending ? words.sending : SEND[way]}
      </Button>
    </>
  );
}

function Box({ run, way }: BoxProps) {
  const place = draftPlace(run.run_id);
  const draft = useDraft(place);
  const input = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const { sending, refused, send, forget } = useSend(run, way);
  const words = runStrings.steer;
  useEffect(() => onFocusRequest('steer', () => input.current?.focus()), []);
  return (
    <>
      <Ledger
        runId={run.run_id}
        onResend={(text) => {
          send(text, 'follow_up');
        }}
      />
      <div className="steer-box">
        <textarea
          ref={input}
          rows={2}
          value={draft}
          aria-label={NAMES[way]}
          aria-describedby={hint}
          aria-invalid={refused !== null}
          placeholder={PLACES[way]}
          onChange={(event) => {
            ui.keepDraft(place, event.target.value);
            forget();
          }}
          onKeyDown={(event) => {
            const mode = modeOfKey(event.nativeEvent);
            if (mode === null) return;
            event.preventDefault();
            event.stopPropagation();
            send(draft, way === 'steer' ? mode : 'steer');
          }}
        />
        <div className="mt-1 flex items-center gap-2">
          <span id={hint} className="el grow text-11 text-ink-3">
            {draft === '' ? words.hint : words.draft}
          </span>
          <Buttons
            way={way}
            empty={draft.trim() === ''}
            sending={sending}
            onSend={(mode) => {
              send(draft, mode);
            }}
          />
        </div>
      </div>
      {refused !== null && (
        <p role="alert" className="mt-1 text-11 text-bad-text select-text">
          {refused}
        </p>
      )}
    </>
  );
}

/** Messages to a run: where each stands, and the box to write the next (C2). */
export function SteerBox({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const sent = useSteers(runId).length;
  if (run === undefined) return null;
  const state = boxState(run);
  if (state.type === 'hidden' && sent === 0) return null;
  return (
    <section className="steer" aria-label={runStrings.steer.name}>
      {state.type === 'hidden' || state.type === 'refused' ? (
        <>
          <Ledger runId={runId} onResend={null} />
          {state.type === 'refused' && <p className="py-1 text-11 text-ink-3">{state.why}</p>}
        </>
      ) : (
        <Box key={runId} run={run} way={state.type} />
      )}
    </section>
  );
}
