import { TRUNK_X, TREE_Y, type TreeLayout } from './layout-tree.ts';

/** The trunk goes on, dotted, this far below the last set while the conversation may get more. */
const TO_COME = 36;

/** Trunk and branches: orthogonal hairlines; only a live one is green. */
export function TreeWires({ layout, open }: { readonly layout: TreeLayout; readonly open: boolean }) {
  const end = layout.height + TO_COME;
  const branches = layout.wires.filter(({ dot }) => dot === null).length;
  return (
    <svg className="tree-wires" width={layout.width + 8} height={end + 8} aria-hidden>
      {branches > 0 && <path d={`M${TRUNK_X} ${TREE_Y - 18}V${layout.trunkEnd - 10}`} />}
      {layout.wires.map(({ id, path, live }) => (
        <path key={id} d={path} className={live ? 'is-live' : ''} />
      ))}
      {open && (
        <path className="is-to-come" d={`M${TRUNK_X} ${branches > 0 ? layout.trunkEnd - 4 : TREE_Y - 18}V${end}`} />
      )}
      {layout.wires.map(({ id, dot, live }) =>
        dot === null || !live ? null : <circle key={id} cx={dot.x} cy={dot.y} r="3" fill="var(--accent)" />,
      )}
    </svg>
  );
}
