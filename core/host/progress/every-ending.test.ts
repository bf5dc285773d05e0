import { describe, expect, test } from 'vitest';
import { outcomeWords } from '../../delegation/lines/outcome-words.ts';
import { ExitReason, FailureReason, Outcome } from '../../protocol/outcome.ts';
import { SetResult } from '../../protocol/result-entry.ts';
import { allEndings, type ShownEnding } from '../../testing/endings.ts';

const ENDINGS = allEndings();

const GLYPHS: Readonly<Record<string, string>> = { stopped: '■', failed: '✗', timed_out: '✗', lost: '✗' };

/** What everybody has to show of an ending, from the verdict that T2 gives it. */
function expected({ verdict }: ShownEnding) {
  const [outcome = '', exit_reason = '', ...rest] = verdict.split(' ');
  const caveats: string[] = rest.filter((word) => word === 'truncated' || word === 'acceptance_failed');
  const [failure_reason = null] = rest.filter((word) => !caveats.includes(word));
  const broken = outcome !== 'completed' && outcome !== 'stopped';
  const clean = outcome === 'completed' && caveats.length === 0;
  const truncated = caveats.includes('truncated');
  const glyph = GLYPHS[outcome] ?? (clean ? '✓' : '⚠');
  return { outcome, exit_reason, failure_reason, caveats, truncated, broken, clean, glyph };
}

describe('case 20: every surface tells the same of every ending of T2', () => {
  test.each(ENDINGS.map((ending): [string, ShownEnding] => [`${ending.how} → ${ending.verdict}`, ending]))(
    'case 20: %s',
    (_, ending) => {
      const { outcome, exit_reason, failure_reason, caveats, truncated, broken, clean, glyph } = expected(ending);
      const { row, json, parentText, line } = ending;
      expect(row).toMatchObject({ state: 'ended', outcome, exit_reason, failure_reason });
      expect(row.caveats).toEqual(caveats);
      const [entry] = SetResult.parse(json).results;
      expect(entry).toMatchObject({ status: outcome, exit_reason, truncated });
      expect(entry?.failure_reason ?? null).toBe(failure_reason);
      expect(entry?.error ?? null).toBe(row.error);
      // The exit status of `espalier run` is 0 for a completed set alone.
      expect(json.status === 'completed').toBe(clean);
      expect(json.totals[Outcome.parse(outcome)]).toBe(1);
      expect([json.totals.truncated, json.totals.acceptance_failed]).toEqual([
        row.caveats.includes('truncated') ? 1 : 0,
        row.caveats.includes('acceptance_failed') ? 1 : 0,
      ]);
      expect(line).toMatch(new RegExp(`^${glyph} \\[set 1\\] It \\(\\S+ ?\\w*\\)`));
      expect(parentText).toContain(
        `status: ${outcome}${caveats.length > 0 ? ` with caveat: ${caveats.join(', ')}` : ''}`,
      );
      const words = row.error ?? outcomeWords(Outcome.parse(outcome), FailureReason.nullable().parse(failure_reason));
      if (!broken) expect([row.failure_line, row.failure_text]).toEqual([null, null]);
      else {
        expect(row.failure_line).toContain(`It — ${row.failure_text ?? 'nothing'}`);
        expect(line).toContain(` — ${row.failure_text ?? 'nothing'}`);
        expect(parentText).toContain(words);
      }
      const said = row.words.toLowerCase();
      expect(said.startsWith(outcome.replace('_', ' '))).toBe(true);
      expect(said === 'completed').toBe(clean);
    },
  );

  test('case 20: the table has every outcome, exit reason and failure reason', () => {
    const words = new Set(ENDINGS.flatMap(({ verdict }) => verdict.split(' ')));
    const named = [...Outcome.options, ...ExitReason.options, ...FailureReason.options];
    // Told apart by their failure reason alone; the same row of T2 as others in the table.
    const alike = ['tool_unavailable', 'permission', 'storage'];
    expect(named.filter((word) => !words.has(word) && !alike.includes(word))).toEqual([]);
  });
});
