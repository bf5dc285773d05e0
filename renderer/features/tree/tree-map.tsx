import { MiniMap, type MiniMapNodeProps } from '@xyflow/react';
import { createContext, useContext } from 'react';
import { MARK_FACTS, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
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

/** The whole tree in small; it pans the canvas. */
export function TreeMap() {
  return (
    <MiniMap
      className="tree-map"
      style={{ width: 104, height: 108 }}
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
