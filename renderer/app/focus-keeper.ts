/** What can take the keyboard without doing anything yet: a row, a pane, what lies over the page. */
const PLACE = '[tabindex]';
/** Parts whose text field is where one goes on. */
const TYPED_IN = 'form, [role="search"]';
const FIELD = 'textarea:not(:disabled), input:not(:disabled)';
/** A pane is entered at its rows, as by F6. */
const ROW =
  '[role="tree"] [tabindex="0"], [role="treegrid"] [data-item][tabindex="0"], [data-rows] [data-item][tabindex="0"]';

/** What has the keyboard and all around it, from the inside out; and the same of the last time that this was in a pane. */
let around: readonly HTMLElement[] = [];
let aroundInPane: readonly HTMLElement[] = [];

function waysOut(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) found.push(at);
  return found;
}

const isReachable = (element: HTMLElement): boolean =>
  element.isConnected && element.closest('[inert]') === null && element.getClientRects().length > 0;

/** Where the keyboard goes on at or in this one; null where nothing is meant to have it. */
function placeIn(element: HTMLElement): HTMLElement | null {
  if (!isReachable(element)) return null;
  if (element.matches(TYPED_IN)) return element.querySelector<HTMLElement>(FIELD);
  if (!element.matches(PLACE)) return null;
  return (element.matches('[data-pane]') ? element.querySelector<HTMLElement>(ROW) : null) ?? element;
}

function firstPlace(elements: readonly HTMLElement[]): HTMLElement | null {
  for (const element of elements) {
    const place = placeIn(element);
    if (place !== null) return place;
  }
  return null;
}

/**
 * Something lost the keyboard to nothing. If it is gone, or was switched off, what was nearest around it gets it, or itself if it is on again by now;
 * a click beside everything is left alone.
 */
function afterLoss(lost: HTMLElement, wasOff: boolean): void {
  if (document.activeElement !== document.body || (lost.isConnected && !wasOff)) return;
  const again = lost.isConnected && !lost.matches(':disabled') ? lost : null;
  (again ?? firstPlace(around) ?? firstPlace(aroundInPane))?.focus({ preventScroll: true });
}

/** Keeps the keyboard in the page when what has it goes away: it never has to be begun with at the top again. */
export function startFocusKeeper(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    around = waysOut(target);
    if (target.closest('[data-pane]') !== null) aroundInPane = [target, ...around];
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    const wasOff = target.matches(':disabled');
    // What comes instead of it is there in the next frame; who knows better where to go takes the keyboard in that one.
    requestAnimationFrame(() => requestAnimationFrame(() => afterLoss(target, wasOff)));
  });
}
