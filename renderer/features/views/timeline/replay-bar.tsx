import { useMemo } from 'react';
import { formatClock, formatDuration } from '../../../shared/format.ts';
import { showMoment, SPEEDS, useReplay, type Speed } from '../../../app/replay.ts';
import { strings } from '../../../shared/strings.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Tile } from '../../../ui/tile.tsx';
import { momentsOf } from './charts.ts';
import { countsAt } from './replay-state.ts';
import type { TimeScale } from './time-scale.ts';
import type { TimelineData } from './use-timeline.ts';

const words = viewStrings.replay;

function play(scale: TimeScale, speed?: Speed): void {
  useReplay.setState((state) => ({
    playing: true,
    at: state.at ?? scale.from,
    speed: speed ?? state.speed,
  }));
}

function Speeds({ scale, live }: { readonly scale: TimeScale; readonly live: boolean }) {
  const at = useReplay((state) => state.at);
  const speed = useReplay((state) => state.speed);
  return (
    <div className="segmented flex-none" role="group" aria-label={words.speed}>
      <button
        type="button"
        aria-pressed={at === null}
        onClick={() => {
          showMoment(null);
        }}
      >
        {live ? words.live : words.end}
      </button>
      {SPEEDS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={at !== null && one === speed}
          onClick={() => {
            play(scale, one);
          }}
        >
          {words.times(one)}
        </button>
      ))}
    </div>
  );
}

const TONE = { broken: 'var(--bad)', stopped: 'var(--idle)', needs: 'var(--need-fill)' } as const;

/** The moment that is shown, along the time outside gaps; marks where something went wrong or waited for somebody. */
function Scrubber({
  data,
  scale,
  counts,
}: {
  readonly data: TimelineData;
  readonly scale: TimeScale;
  readonly counts: string;
}) {
  const at = useReplay((state) => state.at) ?? data.to;
  const moments = useMemo(() => momentsOf(data.runs, data.lives), [data.runs, data.lives]);
  const share = (time: number): number => (scale.workAt(time) / scale.work) * 100;
  return (
    <div className="replay-track">
      <svg width="100%" height="24" aria-hidden>
        <line x1="0" x2="100%" y1="12" y2="12" stroke="var(--line-strong)" strokeWidth="2" />
        <line x1="0" x2={`${share(at)}%`} y1="12" y2="12" stroke="var(--accent)" strokeWidth="2" />
        {moments.slice(0, 400).map((moment, place) => (
          <line
            key={place}
            x1={`${share(moment.at)}%`}
            x2={`${share(moment.at)}%`}
            y1="6"
            y2="18"
            stroke={TONE[moment.type]}
            strokeWidth="2"
          />
        ))}
      </svg>
      <input
        type="range"
        aria-label={words.at}
        aria-valuetext={`${formatClock(at)}, ${counts}`}
        min={0}
        max={1000}
        step={1}
        value={Math.round(share(at) * 10)}
        onChange={(event) => {
          const place = Number(event.target.value);
          showMoment(place >= 1000 ? null : scale.timeOfWork((place / 1000) * scale.work));
        }}
      />
    </div>
  );
}

/** The replay: play, speed, and the moment itself, with how the runs stood at it. */
export function ReplayBar({ data, scale }: { readonly data: TimelineData; readonly scale: TimeScale }) {
  const at = useReplay((state) => state.at);
  const playing = useReplay((state) => state.playing);
  const counts = countsAt(data.runs, data.lives, at ?? data.to);
  const said = words.counts(counts.map(([mark, count]) => [strings.marks[mark], count] as const));
  return (
    <div className="replay" role="group" aria-label={words.name}>
      <IconButton
        icon={playing ? 'pause' : 'resume'}
        name={playing ? words.pause : words.play}
        onClick={() => {
          if (playing) useReplay.setState({ playing: false });
          else play(scale);
        }}
      />
      <Speeds scale={scale} live={data.live} />
      <Scrubber data={data} scale={scale} counts={said} />
      <span className="num flex-none">{formatClock(at ?? data.to)}</span>
      <span className="replay-counts" title={said}>
        {at === null
          ? words.since(formatDuration((data.to - data.from) / 1000), formatDuration(workSeconds(data)))
          : counts.map(([mark, count]) => (
              <span key={mark} title={strings.marks[mark]}>
                <Tile mark={mark} size={10} />
                <b className="num">{count}</b>
              </span>
            ))}
      </span>
    </div>
  );
}

const workSeconds = ({ busy }: TimelineData): number => busy.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
