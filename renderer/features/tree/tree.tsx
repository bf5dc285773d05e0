import { ReactFlow, ReactFlowProvider, ViewportPortal, type NodeProps, type ReactFlowInstance } from '@xyflow/react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isLive } from '../../../core/protocol/lifecycle.ts';
import { useCanvasView } from '../../app/canvas-view.ts';
import { useCommand } from '../../app/commands.ts';
import { useConversation, useRun } from '../../app/live-rows.ts';
import { useRoom } from '../../app/window-size.ts';
import { strings } from '../../shared/strings.ts';
import type { TreeItem } from '../../shared/tree-moves.ts';
import { layoutTree, type TreeLayout } from './layout-tree.ts';
import { SetCard } from './set-card.tsx';
import { setFocused } from './tree-focus.ts';
import { TreeAnnouncer } from './tree-announcer.tsx';
import { treeItems } from './tree-items.ts';
import { useTreeKeys } from './tree-keys.ts';
import { MapShapes, TreeMap } from './tree-map.tsx';
import type { SetShape } from './tree-model.ts';
import { treeNodes, type CardNode, type RootNode, type TreeNode } from './tree-nodes.ts';
import { TreeRoot } from './tree-root.tsx';
import { TreeWires } from './tree-wires.tsx';
import { TreeItems, useTreeModel } from './use-tree-model.ts';
import './tree.css';

/** Types of node; constant, as React Flow asks for. */
const NODE_TYPES = {
  card: ({ data }: NodeProps<CardNode>) => <SetCard shape={data.shape} card={data.card} />,
  root: ({ data }: NodeProps<RootNode>) => <TreeRoot conversationId={data.conversationId} alone={data.alone} />,
};

/** From this number of cards on, only what is in view is drawn. */
const VIRTUAL_FROM = 24;

function useTree(conversationId: string): {
  readonly layout: TreeLayout;
  readonly nodes: TreeNode[];
  readonly items: readonly TreeItem[];
  readonly byId: ReadonlyMap<string, TreeItem>;
  readonly shapes: ReadonlyMap<string, SetShape>;
} {
  const lead = useConversation(conversationId)?.lead_run_id ?? null;
  const sets = useTreeModel(conversationId, lead);
  const room = useRoom();
  return useMemo(() => {
    const layout = layoutTree(sets, room, lead !== null);
    const items = treeItems(sets, lead);
    const shapes = new Map(sets.map((shape) => [shape.id, shape]));
    return {
      layout,
      items,
      nodes: treeNodes(conversationId, layout, shapes, { room, lead: lead !== null }),
      byId: new Map(items.map((item) => [item.id, item])),
      shapes,
    };
  }, [sets, lead, conversationId, room]);
}

const FIT = { padding: 0.04, maxZoom: 1, duration: 0 } as const;

/** Tells the strip how far the canvas is zoomed, and how to fit it. */
function useView(flow: ReactFlowInstance<TreeNode> | null): void {
  const fit = (): void => {
    void flow?.fitView(FIT);
  };
  useEffect(() => {
    if (flow === null) return;
    useCanvasView.setState({ zoom: flow.getZoom(), fit: () => void flow.fitView(FIT) });
    return () => {
      useCanvasView.setState({ zoom: null });
    };
  }, [flow]);
  useCommand({ id: 'fit', title: strings.frame.fit, chord: '0', run: fit });
  useCommand({ id: 'zoom-in', title: strings.frame.zoomIn, chord: null, run: () => void flow?.zoomIn() });
  useCommand({ id: 'zoom-out', title: strings.frame.zoomOut, chord: null, run: () => void flow?.zoomOut() });
}

function Canvas({ conversationId }: { readonly conversationId: string }) {
  const { layout, nodes, items, byId, shapes } = useTree(conversationId);
  const [flow, setFlow] = useState<ReactFlowInstance<TreeNode> | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const lead = useRun(useConversation(conversationId)?.lead_run_id ?? null);
  const onKeyDown = useTreeKeys(element, flow, items, nodes);
  useView(flow);
  // React Flow names its wrapper an application; to people it is the tree, unless a filter leaves nothing of it.
  const role = items.length === 0 ? 'group' : 'tree';
  useLayoutEffect(() => {
    element.current?.setAttribute('role', role);
  }, [role]);
  return (
    <TreeItems value={byId}>
      <MapShapes value={shapes}>
        <ReactFlow
          ref={element}
          aria-label={strings.frame.canvas}
          nodes={nodes}
          nodeTypes={NODE_TYPES}
          onInit={setFlow}
          onMove={(_event, { zoom }) => {
            if (useCanvasView.getState().zoom !== zoom) useCanvasView.setState({ zoom });
          }}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const item = event.target.closest<HTMLElement>('[data-item]')?.dataset['item'];
            if (item !== undefined) setFocused(item);
          }}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.2}
          maxZoom={2}
          onlyRenderVisibleElements={nodes.length > VIRTUAL_FROM}
          proOptions={{ hideAttribution: true }}
        >
          <ViewportPortal>
            <TreeWires layout={layout} open={lead !== undefined && isLive(lead.state)} />
          </ViewportPortal>
        </ReactFlow>
        {layout.cards.length > 1 && <TreeMap layout={layout} />}
      </MapShapes>
    </TreeItems>
  );
}

/** The conversation as a delegation tree on a canvas that pans and zooms. */
export function Tree({ conversationId }: { readonly conversationId: string }) {
  return (
    <div className="tree">
      <ReactFlowProvider>
        <Canvas conversationId={conversationId} />
      </ReactFlowProvider>
      <TreeAnnouncer conversationId={conversationId} />
    </div>
  );
}
