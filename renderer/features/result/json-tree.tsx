import { useState } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { jsonSize, jsonText } from './json-text.ts';

/** Members of one object or list that are drawn at first. */
const FEW = 50;
/** Levels that are open at first. */
const OPEN_DEPTH = 2;

function Leaf({ name, value }: { readonly name: string | null; readonly value: unknown }) {
  const kind = value === null ? 'null' : typeof value;
  return (
    <div className="json-leaf">
      {name !== null && <span className="json-name">{visibleText(name)}</span>}
      <span className="json-value" data-kind={kind}>
        {visibleText(jsonText(value))}
      </span>
    </div>
  );
}

function Branch({
  name,
  value,
  depth,
}: {
  readonly name: string | null;
  readonly value: object;
  readonly depth: number;
}) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [all, setAll] = useState(false);
  const members = Object.entries(value);
  const shown = all ? members : members.slice(0, FEW);
  const array = Array.isArray(value);
  return (
    <details
      className="json-branch"
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        event.stopPropagation();
      }}
    >
      <summary>
        {name !== null && <span className="json-name">{visibleText(name)}</span>}
        <span className="text-ink-3">{jsonSize(value)}</span>
      </summary>
      {open && (
        <div className="json-members">
          {shown.map(([key, member]) => (
            <JsonNode key={key} name={array ? `${Number(key) + 1}` : key} value={member} depth={depth + 1} />
          ))}
          {shown.length < members.length && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setAll(true);
              }}
            >
              {runStrings.result.moreFiles(members.length - shown.length)}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function JsonNode({
  name,
  value,
  depth,
}: {
  readonly name: string | null;
  readonly value: unknown;
  readonly depth: number;
}) {
  const branch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return branch ? <Branch name={name} value={value} depth={depth} /> : <Leaf name={name} value={value} />;
}

/** A JSON value as a tree that folds. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className="json">
      <JsonNode name={null} value={value} depth={0} />
    </div>
  );
}
