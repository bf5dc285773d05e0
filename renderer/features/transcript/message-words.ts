import { formatDuration } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';

/** `Reasoned for 12 s`; under two minutes with a space, as in prose. */
export function reasoningTitle(seconds: number | null, live: boolean): string {
  if (live) return runStrings.transcript.reasoning;
  if (seconds === null) return runStrings.transcript.reasonedShort;
  const whole = Math.max(1, Math.round(seconds));
  return runStrings.transcript.reasoned(whole < 120 ? `${whole} s` : formatDuration(whole));
}

const PREVIEW = 120;

/** A line of the reasoning beside its title: the first, or while it arrives the last; without Markdown's marks. */
export function reasoningPreview(text: string, live: boolean): string {
  const lines = text
    .slice(live ? -1000 : 0, live ? undefined : 1000)
    .split('\n')
    .filter((line) => /\S/.test(line));
  const line = (live ? lines.at(-1) : lines[0]) ?? '';
  return visibleText(
    line
      .replaceAll(/[*_`#>]+/g, '')
      .trim()
      .slice(0, PREVIEW),
  );
}
