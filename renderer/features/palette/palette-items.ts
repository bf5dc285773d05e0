import { byLastChange } from '../../../core/protocol/order.ts';
import type { ConversationRow, ProjectRow, RunRow, SetRow } from '../../../core/protocol/rows.ts';
import type { Command } from '../../app/commands.ts';
import type { LiveState } from '../../app/live-state.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { best } from './rank.ts';

const words = startStrings.palette;

/** One line of the palette. */
export type PaletteItem =
  | { readonly type: 'command'; readonly id: string; readonly text: string; readonly command: Command }
  | { readonly type: 'conversation'; readonly id: string; readonly text: string; readonly row: ConversationRow }
  | { readonly type: 'set'; readonly id: string; readonly text: string; readonly row: SetRow }
  | { readonly type: 'run'; readonly id: string; readonly text: string; readonly row: RunRow }
  | { readonly type: 'project'; readonly id: string; readonly text: string; readonly row: ProjectRow }
  /** The way to the search over everything. */
  | { readonly type: 'search'; readonly id: string; readonly text: string; readonly query: string };

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

/** Lines of a group: with a query there is less of more kinds. */
const MOST = { actions: 24, others: 6 } as const;

/** Of two commands with one id the newest counts, as with keys. */
function commandItems(commands: readonly Command[]): readonly PaletteItem[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  byId.delete('palette');
  return [...byId.values()].map((command) => ({
    type: 'command',
    id: `command ${command.id}`,
    text: command.title,
    command,
  }));
}

/** What the page does not hold, the core can find. */
function searchItems(query: string): readonly PaletteItem[] {
  if (query === '') return [];
  return [{ type: 'search', id: 'search everything', text: workStrings.search.everything(visibleText(query)), query }];
}

/** What the palette shows for a query, group by group; groups without an answer are left out. */
export function paletteGroups(live: LiveState, commands: readonly Command[], query: string): readonly PaletteGroup[] {
  const pick = (items: readonly PaletteItem[], most: number): readonly PaletteItem[] =>
    best(items, ({ text }) => text, query, most);
  const conversations = [...live.conversations.values()]
    .sort(byLastChange)
    .map((row): PaletteItem => ({ type: 'conversation', id: row.conversation_id, text: row.title, row }));
  const sets = [...live.sets.values()].map((row): PaletteItem => ({
    type: 'set',
    id: row.delegation_id,
    text: `${strings.tree.set(row.set)} ${row.title ?? ''}`.trim(),
    row,
  }));
  const runs = [...live.runs.values()].map((row): PaletteItem => ({
    type: 'run',
    id: row.run_id,
    text: `${row.label ?? row.goal.slice(0, 200)} ${row.tag} ${row.agent}`,
    row,
  }));
  const projects = [...live.projects.values()].map((row): PaletteItem => ({
    type: 'project',
    id: row.project_id,
    text: words.newIn(row.name),
    row,
  }));
  const groups: readonly PaletteGroup[] = [
    { title: words.actions, items: pick(commandItems(commands), MOST.actions) },
    { title: words.conversations, items: pick(conversations, MOST.others) },
    { title: words.sets, items: pick(sets, MOST.others) },
    // Without a query they would only be the first of very many.
    { title: words.runs, items: query.trim() === '' ? [] : pick(runs, MOST.others) },
    { title: words.projects, items: pick(projects, MOST.others) },
    { title: words.everywhere, items: searchItems(query.trim()) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
