import { visibleText } from './visible-text.ts';

/** Where a link of agent text may lead. Everything else is shown as text. */
const OPENABLE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

export type LinkTarget =
  /** `href` is what opens, as the browser understands it; `host` is who gets the request (the address for mail). */
  | { readonly type: 'open'; readonly href: string; readonly host: string }
  | { readonly type: 'refused'; readonly shown: string };

function parse(href: string): URL | null {
  try {
    return new URL(href);
  } catch {
    return null;
  }
}

/**
 * Decides about a link: only absolute `http:`, `https:` and `mailto:` addresses open. The host is in its ASCII form, so
 * that a look-alike domain reads as `xn--…`.
 */
export function linkTarget(href: string): LinkTarget {
  const url = parse(href.trim());
  if (url === null || !OPENABLE.has(url.protocol)) return { type: 'refused', shown: visibleText(href) };
  return { type: 'open', href: url.href, host: url.protocol === 'mailto:' ? url.pathname : url.host };
}
