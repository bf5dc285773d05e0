const PAGE = 10;

/** The place in a list that a key leads to; null for a key that leads nowhere. */
export function placeOfKey(key: string, place: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, place + 1);
    case 'ArrowUp':
      return Math.max(0, place - 1);
    case 'PageDown':
      return Math.min(last, place + PAGE);
    case 'PageUp':
      return Math.max(0, place - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** The next name that begins with what was typed, round and round; one letter alone moves on from the chosen name. */
export function placeOfTyping(names: readonly string[], place: number, typed: string): number | null {
  const wanted = typed.toLowerCase();
  const from = typed.length === 1 ? place + 1 : place;
  for (let step = 0; step < names.length; step += 1) {
    const at = (from + step) % names.length;
    if (names[at]?.toLowerCase().startsWith(wanted) === true) return at;
  }
  return null;
}
