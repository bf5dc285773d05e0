import { useMemo } from 'react';
import { useScripted } from '../../../app/cost.tsx';
import { useApp, useConversation } from '../../../app/live-rows.ts';
import { formatCount, formatMoney } from '../../../shared/format.ts';
import { strings } from '../../../shared/strings.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { moneyOverTime, placesNow, placesOverTime, type Step } from './charts.ts';
import { useDrawing } from './timeline-context.ts';
import type { TimeScale } from './time-scale.ts';
import type { TimelineData } from './use-timeline.ts';

const words = viewStrings.timeline;

const HEIGHT = 56;

/** A line of steps or points as a path, down to the base at its end. */
function pathOf(steps: readonly Step[], scale: TimeScale, top: number, stepped: boolean): string {
  const y = (value: number): number => HEIGHT - (value / Math.max(top, 0.000_001)) * HEIGHT;
  const round = (value: number): string => value.toFixed(1);
  const parts = steps.map(({ at, value }, place) => {
    const [x, level] = [round(scale.x(at)), round(y(value))];
    if (place === 0) return `M${x} ${level}`;
    return stepped ? `H${x}V${level}` : `L${x} ${level}`;
  });
  return parts.join('');
}

function Chart({
  name,
  text,
  top,
  topText,
  steps,
  stepped,
  hint,
}: {
  readonly name: string;
  readonly text: string;
  readonly top: number;
  readonly topText: string;
  readonly steps: readonly Step[];
  readonly stepped: boolean;
  readonly hint?: string;
}) {
  const { scale, at, to } = useDrawing();
  const line = pathOf(steps, scale, top, stepped);
  const end = scale.x(to);
  const start = scale.x(steps[0]?.at ?? scale.from);
  return (
    <div className="timeline-chart" title={hint}>
      <div className="timeline-label">
        <span className="grow">
          <span className="block">{name}</span>
          <span className="block text-11 text-ink-3">{text}</span>
        </span>
        <span className="timeline-scale num">
          <span>{topText}</span>
          <span>0</span>
        </span>
      </div>
      <svg width={scale.width} height={HEIGHT + 2} role="img" aria-label={`${name}: ${text}`}>
        {line !== '' && <path d={`${line}${stepped ? `H${end}` : ''}V${HEIGHT}H${start}z`} fill="var(--bg-4)" />}
        <path
          d={`${line}${stepped && line !== '' ? `H${end}` : ''}`}
          fill="none"
          stroke="var(--text-2)"
          strokeWidth="1.25"
        />
        {stepped && <path d={`M0 .5H${scale.width}`} stroke="var(--line-strong)" strokeDasharray="2 3" />}
        <path d={`M0 ${HEIGHT + 0.5}H${scale.width}`} stroke="var(--line-strong)" />
        <path d={`M${scale.x(at ?? to)} 0V${HEIGHT}`} stroke="var(--text-1)" />
      </svg>
    </div>
  );
}

/** The value that held up to a moment. */
const valueAt = (steps: readonly Step[], at: number): number => steps.findLast((step) => step.at < at)?.value ?? 0;

/** Money over time; at the end it is what the core says, which holds for conversations whose runs are not all known. */
function Spent({ money, conversationId }: { readonly money: readonly Step[]; readonly conversationId: string }) {
  const { at } = useDrawing();
  const conversation = useConversation(conversationId);
  const ceiling = conversation?.tree_limits?.max_cost_usd;
  const all = money.at(-1)?.value ?? 0;
  const now = Math.max(all, conversation?.cost_usd ?? 0);
  const spent = at === null ? now : valueAt(money, at);
  const last = money.at(-1);
  const steps = last === undefined ? money : [...money, { at: last.at, value: now }];
  const scripted = useScripted(conversationId);
  return (
    <Chart
      name={scripted ? words.spentScripted : words.spent}
      hint={scripted ? strings.frame.scriptedCostTitle : words.spentHint}
      text={words.spentWords(formatMoney(spent), ceiling === undefined ? null : formatMoney(ceiling))}
      top={now}
      topText={formatMoney(now)}
      steps={steps}
      stepped={false}
    />
  );
}

/** Places at work and money spent over the same time. */
export function TimelineCharts({
  data,
  conversationId,
}: {
  readonly data: TimelineData;
  readonly conversationId: string;
}) {
  const { lives, runs, from, to } = data;
  const { at } = useDrawing();
  const limit = useApp()?.places ?? 1;
  const places = useMemo(() => placesOverTime(lives.values(), to), [lives, to]);
  const money = useMemo(() => moneyOverTime(runs, lives, from, to), [runs, lives, from, to]);
  const most = places.reduce((sum, { value }) => Math.max(sum, value), 0);
  const top = Math.max(limit, most);
  const spent = money.at(-1)?.value ?? 0;
  // What ends at the very end is at work no more.
  const atWork = at === null || at >= to ? placesNow(lives.values()) : valueAt(places, at);
  return (
    <div className="timeline-charts" role="group" aria-label={words.charts}>
      <Chart
        name={words.places}
        text={`${words.placesAt(atWork)}, ${words.placesLimit(limit)}`}
        top={top}
        topText={formatCount(top)}
        steps={places}
        stepped
      />
      {spent > 0 && <Spent money={money} conversationId={conversationId} />}
    </div>
  );
}
