/** Key chords are written `mod+shift+k`; `mod` is ⌘ on a Mac and Ctrl elsewhere. */
const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Chords that a browser keeps for itself have an Alt form there (ui.md, Frame). */
const KEPT_BY_BROWSERS = new Set(['mod+n', 'mod+w', 'mod+t']);

const isDesktop = (): boolean => typeof window !== 'undefined' && window.espalier !== undefined;

/** The chord as this host can give it. */
function chordHere(chord: string): string {
  return KEPT_BY_BROWSERS.has(chord) && !isDesktop() ? chord.replace('mod', 'alt') : chord;
}

const CAPS: Readonly<Record<string, readonly [mac: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  alt: ['⌥', 'Alt'],
  shift: ['⇧', 'Shift'],
  enter: ['⏎', '⏎'],
  escape: ['Esc', 'Esc'],
  delete: ['⌫', 'Del'],
  space: ['Space', 'Space'],
  home: ['Home', 'Home'],
  end: ['End', 'End'],
};

/** The chord as people read it: `⌘K` or `Ctrl K`. */
export function chordCaps(chord: string): string {
  const mac = isMac();
  return chordHere(chord)
    .split('+')
    .map((part) => CAPS[part]?.[mac ? 0 : 1] ?? part.toUpperCase())
    .join(mac ? '' : ' ');
}

/** A character that needs Shift itself (`?`) is named by the character alone; of others Shift must be as named. */
function shiftFits(event: KeyboardEvent, parts: readonly string[], key: string): boolean {
  const counts = parts.includes('shift') || /^[a-z0-9]$|^.{2,}$/.test(key);
  return !counts || event.shiftKey === parts.includes('shift');
}

/** Whether a keyboard event is this chord. */
export function isChord(event: KeyboardEvent, chord: string): boolean {
  const parts = chordHere(chord).split('+');
  const key = parts.at(-1) ?? '';
  const [mod, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (other || mod !== parts.includes('mod') || event.altKey !== parts.includes('alt')) return false;
  if (!shiftFits(event, parts, key)) return false;
  const pressed = event.key === ' ' ? 'space' : event.key.toLowerCase();
  return pressed === key || (event.altKey && event.code.toLowerCase() === `key${key}`);
}

/** Keys that only change others. */
const MODIFIERS = new Set([
  'control',
  'meta',
  'alt',
  'shift',
  'altgraph',
  'capslock',
  'dead',
  'process',
  'unidentified',
]);

/**
 * The chord that a keyboard event is, as it can be bound; null while only modifiers are down, and `unusable` for what typing or the
 * keys of a page need: letters alone, Enter, Tab, arrows.
 */
export function chordOf(event: KeyboardEvent): string | 'unusable' | null {
  const pressed = event.key === ' ' ? 'space' : event.key.toLowerCase();
  if (MODIFIERS.has(pressed)) return null;
  const [mod, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  const key = letterUnderAlt(event) ?? pressed;
  if (other || !isBindable(key, mod || event.altKey)) return 'unusable';
  const shift = event.shiftKey && /^[a-z0-9]$|^.{2,}$/.test(key);
  const parts = [mod ? 'mod' : '', event.altKey ? 'alt' : '', shift ? 'shift' : '', key];
  return parts.filter((part) => part !== '').join('+');
}

/** Alt may have made another character of a letter. */
function letterUnderAlt({ altKey, code }: KeyboardEvent): string | undefined {
  return altKey ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined;
}

/** With `mod` or Alt every key but the odd ones; alone only function keys and signs. */
function isBindable(key: string, held: boolean): boolean {
  if (key.length > 12 || !/^(?:[^\sA-Z]|[a-z][a-z0-9]+)$/.test(key)) return false;
  return held || /^f\d+$|^[^a-z\s]$/.test(key);
}
