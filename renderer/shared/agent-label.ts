import { strings } from './strings.ts';

/** An agent as menus name it: one whose program is not there is marked. It can be chosen all the same, and is told why it does not start. */
export const agentLabel = ({ id, installed }: { readonly id: string; readonly installed?: boolean | null }): string =>
  installed === false ? strings.notInstalled(id) : id;
