import { countMarks, MARK_FACTS, MARKS, type Mark } from '../../shared/status.ts';
import { HEADER, ROW_LINE, type SetShape } from './tree-model.ts';

export const TRUNK_X = 28.5;
const TREE_X = 44;
/** Below the lead's two lines. */
export const TREE_Y = 60;
/** More with the line of what a lead has said last. */
export const SAID = 20;
const GAP_Y = 16;
const CORNER = 10;
/** A large card is as wide as a card, the gap and a nested one together. */
const WIDTHS = {
  normal: { normal: 420, gap: 40, nested: 292, large: 752 },
  /** Two levels stand side by side in the 684 px that a window of 1280 leaves beside its inspector. */
  compact: { normal: 344, gap: 28, nested: 252, large: 624 },
  /** 200 % zoom of a small window: a large card with all that is in its header fits into 640 px. */
  narrow: { normal: 344, gap: 28, nested: 252, large: 580 },
} as const;
/** How much room the window has for the tree. */
export type Room = keyof typeof WIDTHS;
type Widths = (typeof WIDTHS)[keyof typeof WIDTHS];
/** A wire meets a card in the middle of its header. */
const ENTRY = 28.5;

export interface Card {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly nested: boolean;
}

export interface Wire {
  readonly id: string;
  /** An SVG path: orthogonal, 10-px corners. */
  readonly path: string;
  /** It feeds a set that is at work: drawn green, with a dot where it leaves the row. */
  readonly live: boolean;
  readonly dot: { readonly x: number; readonly y: number } | null;
}

export interface TreeLayout {
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
  /** Where the trunk's last branch leaves, and where the dotted part for sets to come ends. */
  readonly trunkEnd: number;
  readonly width: number;
  readonly height: number;
}

/** Marks that a run can leave again: the right column of the counts. */
const isOpen = (mark: Mark): boolean => MARK_FACTS[mark].active || mark === 'queued';

/** The marks counted under the tiles, in two columns: what has ended, and what has not. */
export function countColumns(counts: ReadonlyMap<Mark, number>): readonly (readonly Mark[])[] {
  const present = MARKS.filter((mark) => counts.has(mark));
  return [present.filter((mark) => !isOpen(mark)), present.filter(isOpen)];
}

/** Height of the tiles with the counts below, of a large card. */
function tilesHeight(shape: SetShape): number {
  const tileRows = Math.ceil(shape.marks.length / 8);
  const columns = countColumns(countMarks(shape.marks.map(({ mark }) => mark)));
  const lines = Math.max(...columns.map((column) => column.length));
  return 12 + Math.max(0, tileRows * 20 - 4) + 8 + lines * 16 + 12;
}

/** Height of a card with its header. */
export function cardHeight(shape: SetShape): number {
  const list = shape.rows.reduce((sum, row) => sum + row.height, 0) + (shape.hidden > 0 ? ROW_LINE : 0);
  return HEADER + (shape.large ? Math.max(list, tilesHeight(shape)) : list);
}

const cardWidth = (shape: SetShape, nested: boolean, widths: Widths): number =>
  shape.large ? widths.large : nested ? widths.nested : widths.normal;

/** Distance from the top of a card to the middle of a row; of its header if the row is not drawn. */
function rowMiddle(shape: SetShape, runId: string): number {
  let y = HEADER;
  for (const row of shape.rows) {
    if (row.id === runId) return y + row.height / 2;
    y += row.height;
  }
  return HEADER / 2;
}

/** From a row's right edge to a nested card's left one. */
function nestedPath(fromX: number, fromY: number, toX: number, toY: number): string {
  if (Math.abs(toY - fromY) < 1) return `M${fromX} ${fromY}H${toX}`;
  const middle = (fromX + toX) / 2;
  const corner = Math.min(CORNER, Math.abs(toY - fromY) / 2, (toX - fromX) / 2);
  const way = Math.sign(toY - fromY) * corner;
  return (
    `M${fromX} ${fromY}H${middle - corner}Q${middle} ${fromY} ${middle} ${fromY + way}` +
    `V${toY - way}Q${middle} ${toY} ${middle + corner} ${toY}H${toX}`
  );
}

const trunkPath = (y: number): string => `M${TRUNK_X} ${y - CORNER}Q${TRUNK_X} ${y} ${TRUNK_X + CORNER} ${y}H${TREE_X}`;

/**
 * Places the cards: tiers of the trunk one below the other in the order in which they began, nested sets to the right
 * of the row that made them, level with it unless an earlier nested set is in the way. No card covers another. `room`: cards are
 * narrower in windows that have less of it than the reference. `said`: the root has a line with the lead's answer.
 */
export function layoutTree(sets: readonly SetShape[], room: Room = 'normal', said = false): TreeLayout {
  const widths = WIDTHS[room];
  const cards: Card[] = [];
  const wires: Wire[] = [];
  const ofRun = Map.groupBy(
    sets.filter((set) => set.parent !== null),
    (set) => set.parent ?? '',
  );
  let width = 0;

  /** Places a set and all below it; answers the lowest edge. */
  const place = (shape: SetShape, x: number, y: number, nested: boolean): number => {
    const card = { id: shape.id, x, y, width: cardWidth(shape, nested, widths), height: cardHeight(shape), nested };
    cards.push(card);
    width = Math.max(width, x + card.width);
    let bottom = y + card.height;
    let free = y;
    for (const { id } of shape.marks) {
      for (const child of ofRun.get(id) ?? []) {
        const from = Math.round(y + rowMiddle(shape, id));
        const childY = Math.max(free, from - Math.floor(ENTRY));
        const childX = x + card.width + widths.gap;
        const right = x + card.width;
        wires.push({
          id: child.id,
          path: nestedPath(right, from, childX, childY + Math.floor(ENTRY)),
          live: child.live,
          dot: { x: right, y: from },
        });
        free = place(child, childX, childY, true) + GAP_Y;
        bottom = Math.max(bottom, free - GAP_Y);
      }
    }
    return bottom;
  };

  let y = TREE_Y + (said ? SAID : 0);
  let trunkEnd = y;
  for (const shape of sets.filter((set) => set.parent === null)) {
    trunkEnd = y + ENTRY;
    wires.push({ id: shape.id, path: trunkPath(trunkEnd), live: false, dot: null });
    y = place(shape, TREE_X, y, false) + GAP_Y;
  }
  return { cards, wires, trunkEnd, width, height: y - GAP_Y };
}
