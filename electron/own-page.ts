/** Scheme under which the desktop serves the built page. */
export const APP_SCHEME = 'app';

/** Address of the page. A host is needed: a standard scheme takes its origin from it. */
export const APP_URL = `${APP_SCHEME}://espalier/`;

/** What of a frame the checks look at. */
export interface FrameLike {
  readonly url: string;
  /** The frame around it; null for the page itself. */
  readonly parent: unknown;
}

/** Whether `url` belongs to the page at `home` (same scheme, host and port). Custom schemes have no `origin` in Node's URL. */
export function isOwnPage(url: string, home: string): boolean {
  const [one, other] = [parse(url), parse(home)];
  return one !== null && other !== null && one.protocol === other.protocol && one.host === other.host;
}

/** Whether a message may be heard: only from the top frame of the desktop's own page, never from a frame inside it or a closed one. */
export function isTrustedSender(frame: FrameLike | null): boolean {
  return frame !== null && frame.parent === null && isOwnPage(frame.url, APP_URL);
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
