import type { CDPSession, Page } from '@playwright/test';

/** What the page saw of its own frames and of the stamps in the text, since it was asked last. */
export interface PageFigures {
  /** From a stamp to the paint that shows it, ms. */
  readonly latencies: number[];
  /** From the stamp to the arrival of the message that brings it, ms. */
  readonly arrivals: number[];
  /** Stamps that were shown, by their number. */
  readonly shown: number;
  /** Gaps between animation frames, ms. */
  readonly frames: number[];
  /** Tasks of more than 50 ms, ms. */
  readonly long_tasks: number[];
  /** After a collection, bytes. */
  readonly heap: number;
}

interface Watch {
  take(): PageFigures;
}
declare global {
  interface Window {
    benchWatch?: Watch;
    benchArrivals?: number[];
    gc?: () => void;
  }
}

/** A word that says which one it is and when it was written: tenths of a ms since the epoch. */
export function stamp(number: number): string {
  return `k${number}t${Math.round((performance.timeOrigin + performance.now()) * 10)}`;
}

/** Processor seconds of the page's main thread: what others on the machine took is not in it. */
export interface PageCpu {
  readonly all: number;
  readonly script: number;
  /** Styles and layout. */
  readonly layout: number;
}

/** A page that is watched. */
export class WatchedPage {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Puts the watch into a page before anything of the app runs. */
  static async watch(page: Page): Promise<WatchedPage> {
    await page.addInitScript(watchArrivals);
    await page.addInitScript(beginWatch);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new WatchedPage(page, session);
  }

  /** What the page has seen since it was asked last. */
  async figures(): Promise<PageFigures> {
    const figures = await this.page.evaluate(() => window.benchWatch?.take());
    if (figures === undefined) throw new Error('the page is not watched');
    return figures;
  }

  /** What it has used so far. */
  async cpu(): Promise<PageCpu> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
    return {
      all: of('TaskDuration'),
      script: of('ScriptDuration'),
      layout: of('LayoutDuration') + of('RecalcStyleDuration'),
    };
  }
}

/** Runs in the page. */
function beginWatch(): void {
  const TEXT = '.transcript-content';
  let latencies: number[] = [];
  let frames: number[] = [];
  let longTasks: number[] = [];
  let [shown, last, lastFrame] = [0, -1, 0];
  let fresh: number[] = [];
  const painted = new MessageChannel();
  painted.port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    for (const at of fresh) latencies.push(now - at / 10);
    fresh = [];
  };
  /** Stamps that are on the page and were not before. */
  const look = (): void => {
    const rows = document.querySelectorAll<HTMLElement>(`${TEXT} .transcript-row`);
    for (const row of [...rows].slice(-2)) {
      for (const [, number, at] of (row.textContent ?? '').matchAll(/k(\d+)t(\d+)/g)) {
        if (Number(number) <= last) continue;
        last = Number(number);
        shown += 1;
        fresh.push(Number(at));
      }
    }
  };
  const frame = (now: number): void => {
    if (lastFrame > 0) frames.push(now - lastFrame);
    lastFrame = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      look();
      // A message that is posted now is taken up after the frame was painted.
      if (fresh.length > 0) requestAnimationFrame(() => painted.port2.postMessage(null));
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longTasks.push(entry.duration);
  }).observe({ type: 'longtask' });
  window.benchWatch = {
    take() {
      window.gc?.();
      const memory = (performance as unknown as { memory: { usedJSHeapSize: number } }).memory;
      const figures = {
        latencies,
        arrivals: window.benchArrivals ?? [],
        shown,
        frames,
        long_tasks: longTasks,
        heap: memory.usedJSHeapSize,
      };
      [latencies, frames, longTasks, shown] = [[], [], [], 0];
      window.benchArrivals = [];
      return figures;
    },
  };
}

/** Runs in the page: takes the time of each message, before the app does. */
function watchArrivals(): void {
  window.benchArrivals = [];
  let last = -1;
  const Line = window.WebSocket;
  window.WebSocket = class extends Line {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        const now = performance.timeOrigin + performance.now();
        for (const [, number, at] of String(data).matchAll(/k(\d+)t(\d+)/g)) {
          // The end of an answer brings all of it once more.
          if (Number(number) <= last) continue;
          last = Number(number);
          window.benchArrivals?.push(now - Number(at) / 10);
        }
      });
    }
  };
}
