import { useState } from 'react';
import type { SteerRow } from '../../../core/protocol/rows.ts';
import { useSteers } from '../../app/live-rows.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { ledgerWords, shownLedger } from './ledger-words.ts';

const TONES = { ok: 'text-ok', wait: 'text-wait', quiet: 'text-ink-3', warn: 'text-warn' } as const;

function Line({ row, onResend }: { readonly row: SteerRow; readonly onResend: ((text: string) => void) | null }) {
  const { icon, tone, text, title } = ledgerWords(row);
  const colour = TONES[tone];
  const words = runStrings.steer;
  return (
    <li className="ledger-line" data-state={row.state}>
      <span className={colour}>
        <Icon name={icon} />
      </span>
      <span className="el" title={visibleText(row.text)}>
        {visibleText(row.text.replaceAll(/\s+/g, ' '))}
      </span>
      <span className={`flex-none ${tone === 'ok' ? 'text-ink-3' : colour}`} title={title ?? undefined}>
        {text}
      </span>
      {row.state === 'missed' && (
        <button
          type="button"
          className="link flex-none"
          onClick={() => {
            if (onResend === null) void navigator.clipboard.writeText(row.text);
            else onResend(row.text);
          }}
        >
          {onResend === null ? words.copy : words.resend}
        </button>
      )}
    </li>
  );
}

/** The messages to a run and where each stands. `onResend` is null when the run takes no more messages. */
export function Ledger({
  runId,
  onResend,
}: {
  readonly runId: string;
  readonly onResend: ((text: string) => void) | null;
}) {
  const rows = useSteers(runId);
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  const shown = shownLedger(rows, all);
  const hidden = rows.length - shown.length;
  const words = runStrings.steer;
  return (
    <>
      {(hidden > 0 || all) && (
        <button
          type="button"
          className="text-11 text-ink-3 hover:text-ink-1"
          onClick={() => {
            setAll(!all);
          }}
        >
          {all ? words.less : words.all(hidden)}
        </button>
      )}
      <ul className="ledger" aria-label={words.ledger} tabIndex={all ? 0 : undefined}>
        {shown.map((row) => (
          <Line key={row.steer_id} row={row} onResend={onResend} />
        ))}
      </ul>
    </>
  );
}
