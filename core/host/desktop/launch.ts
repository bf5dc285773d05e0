import { isAbsolute, resolve } from 'node:path';

/** Scheme of deep links. */
export const LINK_SCHEME = 'espalier';

/** What somebody wants opened: a link that was clicked, or a path from the file manager or the command line. */
export type LaunchRequest =
  { readonly type: 'node'; readonly id: string } | { readonly type: 'path'; readonly path: string };

const NODE_KINDS = new Set(['run', 'set', 'conversation']);
/** Ids are made of these; whatever else a link holds is not looked up. */
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/**
 * What a link leads to: `espalier://run/<id>`, `…/set/<id>`, `…/conversation/<id>`. Null for anything else: a link comes from any web page, and may
 * show something that is there, never begin or change anything.
 */
export function readLink(url: string): LaunchRequest | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname, search, hash, username, port } = new URL(url);
  if (protocol !== `${LINK_SCHEME}:` || !NODE_KINDS.has(host) || `${search}${hash}${username}${port}` !== '')
    return null;
  const id = pathname.slice(1).replace(/\/$/, '');
  return ID.test(id) ? { type: 'node', id } : null;
}

/**
 * What a command line asks to have opened. `own` is how many of its words start the app itself. Switches are Chromium's and ours; a relative path counts
 * from where the command was given.
 */
export function readArguments(argv: readonly string[], own: number, folder: string): LaunchRequest[] {
  return argv.slice(own).flatMap((word): LaunchRequest[] => {
    if (word === '' || word.startsWith('-')) return [];
    if (word.toLowerCase().startsWith(`${LINK_SCHEME}:`)) {
      const link = readLink(word);
      return link === null ? [] : [link];
    }
    return [{ type: 'path', path: isAbsolute(word) ? word : resolve(folder, word) }];
  });
}
