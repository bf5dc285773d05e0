import { viewStrings } from '../../shared/view-strings.ts';

const words = viewStrings.filter;

/** Why a view has no rows, of `all` that a filter could leave; `then`: it shows a moment of before. */
export function nothingWords(all: number, then: boolean): { readonly title: string; readonly hint: string | null } {
  if (all > 0) return { title: words.nothing, hint: null };
  return then ? { title: words.noneThen, hint: words.noneThenHint } : { title: words.none, hint: words.noneHint };
}
