import type { Page } from '@playwright/test';

/** ms from the click on the row of a run until its transcript has been painted. */
export function openTranscript(page: Page, label: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const row = [...document.querySelectorAll<HTMLElement>('[data-drop-run]')].find((one) =>
      one.querySelector('.run-label')?.textContent?.includes(wanted),
    );
    if (row === undefined) throw new Error(`there is no row ${wanted}`);
    const began = performance.now();
    row.click();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (document.querySelector('.transcript-content .transcript-row') === null) return;
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(resolve));
      };
      const seen = new MutationObserver(look);
      seen.observe(document.body, { childList: true, subtree: true });
      look();
    });
    return performance.now() - began;
  }, label);
}

/** Frames a second while the transcript is scrolled up, past what has been loaded. */
export function scroll(page: Page, ms: number): Promise<number> {
  return page.evaluate(async (limit) => {
    const scroller = document.querySelector('.transcript-scroller');
    if (scroller === null) throw new Error('there is no transcript');
    const began = performance.now();
    let frames = 0;
    await new Promise<void>((resolve) => {
      const step = (): void => {
        scroller.scrollTop -= 60;
        frames += 1;
        if (performance.now() - began > limit) resolve();
        else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    return (frames * 1000) / (performance.now() - began);
  }, ms);
}
