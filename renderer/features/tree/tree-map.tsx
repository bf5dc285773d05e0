import { MiniMap, useStore, type MiniMapNodeProps, type ReactFlowState } from '@xyflow/react';
import { createContext, useContext } from 'react';
import { MARK_FACTS, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import type { TreeLayout } from './layout-tree.ts';
import { HEADER, type SetShape } from './tree-model.ts';

/** The cards by id, for their marks on the map. */
export const MapShapes = createContext<ReadonlyMap<string, SetShape>>(new Map());

function colourOf(mark: Mark): string | null {
  if (MARK_FACTS[mark].broken) return 'var(--bad)';
  return MARK_FACTS[mark].needsYou ? 'var(--need-fill)' : null;
}

/** A card on the map, with a stroke for each row that is broken or waits for you. */
function MapCard({ id, x, y, width, height }: MiniMapNodeProps) {
  const shape = useContext(MapShapes).get(id);
  if (shape === undefined) return null;
  const from = shape.large ? 196 : 0;
  const strokes = shape.rows.flatMap(({ id: run, mark, height: row }, at) => {
    const colour = colourOf(mark);
    if (colour === null) return [];
    const top = HEADER + shape.rows.slice(0, at).reduce((sum, before) => sum + before.height, 0);
    return [<rect key={run} x={x + from} y={y + top} width={width - from} height={row * 0.6} fill={colour} />];
  });
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} fill="var(--bg-4)" />
      {strokes}
    </g>
  );
}

/** A canvas this narrow has no room beside its cards. */
const NARROW = 480;
const MAP = { width: 104, height: 108, margin: 16 } as const;

/** Whether the map would lie over a card although all of the tree is in view, or the canvas is too narrow for it. */
function isInTheWay(layout: TreeLayout, { transform: [x, y, zoom], width, height }: ReactFlowState): boolean {
  if (width < NARROW) return true;
  const inView = x >= 0 && y >= 0 && x + layout.width * zoom <= width && y + layout.height * zoom <= height;
  const left = (width - MAP.width - 2 * MAP.margin - x) / zoom;
  const bottom = (MAP.height + 2 * MAP.margin - y) / zoom;
  return inView && layout.cards.some((card) => card.x + card.width > left && card.y < bottom);
}

/** The whole tree in small; it pans the canvas. */
export function TreeMap({ layout }: { readonly layout: TreeLayout }) {
  const hidden = useStore((state) => isInTheWay(layout, state));
  if (hidden) return null;
  return (
    <MiniMap
      className="tree-map"
      style={{ width: MAP.width, height: MAP.height }}
      position="top-right"
      pannable
      zoomable
      ariaLabel={strings.tree.map}
      nodeComponent={MapCard}
      bgColor="transparent"
      maskColor="transparent"
      maskStrokeColor="var(--edge)"
      maskStrokeWidth={1}
    />
  );
}
