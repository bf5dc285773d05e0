/** What the page tells of its controls: one that is there, or one that was used. */
export interface SeenControl {
  readonly role: string;
  readonly name: string;
  /** Where a control without a name of its own stands: its name is what somebody wrote. */
  readonly place: string;
  readonly used: boolean;
}

/** The name under which the page calls the recorder, and of the event that makes it look. */
export const BINDING = '__espalierControls';

/**
 * Runs in the page, before its own script: tells of every control that can be seen and used, once each, and of every one that
 * is used by pointer or key. It is one function, because Playwright carries its text over.
 */
export function recordInPage(binding: string): void {
  const ROLES =
    'button,link,tab,menuitem,menuitemradio,menuitemcheckbox,radio,checkbox,switch,slider,combobox,textbox,spinbutton,separator,columnheader';
  const roles = new Set(ROLES.split(','));
  const NATIVE =
    'button,a[href],input,select,textarea,summary,' +
    ROLES.split(',')
      .map((role) => `[role="${role}"]`)
      .join(',');
  const TYPES: Record<string, string> = { checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton' };

  const roleOf = (element: Element): string => {
    const said = element.getAttribute('role');
    if (said !== null) return said;
    const tag = element.tagName.toLowerCase();
    if (tag === 'a') return 'link';
    if (tag === 'select') return 'combobox';
    if (tag === 'textarea') return 'textbox';
    if (tag === 'input') return TYPES[element.getAttribute('type') ?? ''] ?? 'textbox';
    return 'button';
  };
  const textOf = (node: Node): string => {
    if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return '';
    if (node instanceof Element && node.getAttribute('role') === 'img') return node.getAttribute('aria-label') ?? '';
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    return [...node.childNodes].map(textOf).join(' ');
  };
  const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  const labelOf = (element: Element): string =>
    (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .flatMap((id) => document.getElementById(id) ?? [])
      .map((label) => label.getAttribute('aria-label') ?? label.textContent)
      .join(' ');
  const nameOf = (element: Element): string => {
    const labelled = labelOf(element);
    const labels = (element as HTMLInputElement).labels;
    const around = labels === null || labels === undefined ? '' : [...labels].map(textOf).join(' ');
    return clean(
      element.getAttribute('aria-label') ??
        (labelled || around || textOf(element) || element.getAttribute('title') || ''),
    );
  };
  const PLACES =
    'section[aria-label],nav[aria-label],dialog[aria-label],[role="dialog"][aria-label],[role="region"][aria-label],[role="tablist"],[role="menu"],form[aria-label],main[aria-label],aside[aria-label],ul[aria-label]';
  const placeOf = (element: Element): string => {
    const place = element.closest(PLACES);
    // A menu has the name of the button that opens it.
    return place === null ? '' : clean(place.getAttribute('aria-label') ?? labelOf(place));
  };
  const canBeUsed = (element: Element): boolean => {
    if (
      element.matches(':disabled,[readonly],[aria-disabled="true"],[data-disabled]') ||
      element.closest('[inert],[aria-hidden="true"]') !== null
    )
      return false;
    // A border or a head is a control only when it can be grasped by the keyboard.
    if (element.matches('[role="separator"]:not([tabindex]),[role="columnheader"]')) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const told = new Set<string>();
  const tell = (element: Element, used: boolean): void => {
    const role = roleOf(element);
    if (!roles.has(role)) return;
    const control = { role, name: nameOf(element), place: placeOf(element), used };
    const key = JSON.stringify(control);
    if (told.has(key)) return;
    told.add(key);
    (globalThis as unknown as Record<string, (text: string) => void>)[binding]?.(key);
  };
  const use = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest(NATIVE) : null;
    if (target !== null) tell(target, true);
  };
  let due: number | null = null;
  const look = (): void => {
    if (due !== null) cancelAnimationFrame(due);
    due = null;
    for (const element of document.querySelectorAll(NATIVE)) if (canBeUsed(element)) tell(element, false);
  };
  for (const type of ['click', 'input', 'change', 'keydown', 'pointerdown'] as const)
    window.addEventListener(
      type,
      (event) => {
        // What is there when something is used is seen, however soon that goes: not only what stays for a while. A choice in a list
        // comes without a key or pointer.
        if (due !== null && type !== 'click') look();
        // A key uses a control only when that takes it; Tab and the like go by.
        if (event instanceof KeyboardEvent && !/^(?:Enter| |Arrow\w+|Home|End)$/.test(event.key)) return;
        use(event);
      },
      { capture: true, passive: true },
    );
  // Every frame that has changed is looked at: what stands for a moment must not be found now by chance, now not.
  const soon = (): void => {
    due ??= requestAnimationFrame(look);
  };
  new MutationObserver(soon).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['hidden', 'disabled', 'inert'],
  });
  window.addEventListener(binding, look);
  soon();
}
