/**
 * The page's content security policy, the same as under `serve`: everything from our own files, no inline script or style sheet,
 * nothing remote, no frames, forms, plugins. Style attributes place things on the canvas.
 */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of everything that the desktop serves to its page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** What a page may ask of the browser under it: to put text that the user copied on the clipboard. */
export function isPermitted(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}
