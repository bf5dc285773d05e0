const OPENED_OUTSIDE = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address to hand to the system for a link, or null when it is not opened at all. Only web and mail: every other scheme
 * (`file:`, `smb:`, an app's own) makes the system start something with what an agent wrote.
 */
export function outsideTarget(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (!OPENED_OUTSIDE.has(parsed.protocol)) return null;
  // A name before the @ makes an address look like another site's.
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href;
}
