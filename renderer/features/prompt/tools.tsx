import { useState } from 'react';
import type { SentPrompt } from '../../../core/protocol/sent-prompt.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { firstLine } from './prompt-words.ts';

const words = inspectStrings.prompt;
type Tool = SentPrompt['tools'][number];

/** A schema may be large; what is longer is in the copy. */
const SCHEMA = { lines: 400, characters: 40_000 };

function OneTool({ tool, all }: { readonly tool: Tool; readonly all: boolean }) {
  const [chosen, setOpen] = useState(false);
  const open = chosen || all;
  return (
    <li>
      <button
        type="button"
        className="prompt-tool"
        aria-expanded={open}
        onClick={() => {
          setOpen(!chosen);
        }}
      >
        <Icon name={open ? 'down' : 'right'} />
        <code className="flex-none">{visibleText(tool.name)}</code>
        {!open && <span className="el text-ink-3">{visibleText(firstLine(tool.description))}</span>}
      </button>
      {open && (
        <div className="prompt-tool-body">
          <BoundedText text={tool.description} />
          <p className="mt-1 text-11 text-ink-3">{words.schema}</p>
          <pre className="prompt-schema" tabIndex={0} aria-label={words.schema}>
            {visibleText((JSON.stringify(tool.schema, null, 2) ?? '').slice(0, SCHEMA.characters))}
          </pre>
        </div>
      )}
    </li>
  );
}

/** The tools that were offered, each folded; `all` opens them, for a search. */
export function Tools({ tools, all }: { readonly tools: readonly Tool[]; readonly all: boolean }) {
  return (
    <ul aria-label={words.tools(tools.length)}>
      {tools.map((tool, place) => (
        <OneTool key={`${place} ${tool.name}`} tool={tool} all={all} />
      ))}
    </ul>
  );
}
