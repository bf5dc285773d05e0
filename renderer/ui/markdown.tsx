import { isValidElement, memo, type ReactNode } from 'react';
import { defaultRemarkPlugins, Streamdown, useIsCodeFenceIncomplete, type Components } from 'streamdown';
import { runStrings } from '../shared/run-strings.ts';
import { CopyButton } from './copy-button.tsx';
import { useHighlight } from './highlight.ts';
import { rehypeSafeTree } from './safe-tree.ts';
import { SafeLink } from './safe-link.tsx';
import './prose.css';

/** What every element of the tree is given; `node` is where it came from. */
interface ElementProps {
  readonly children?: ReactNode;
  readonly node?: unknown;
}

const LANGUAGE = /(?:^|\s)language-(\S+)/;

function CodeFence({ code, language }: { readonly code: string; readonly language: string }) {
  const arriving = useIsCodeFenceIncomplete();
  const lines = useHighlight(code, language, !arriving);
  return (
    <div className="code-fence">
      <pre tabIndex={0} role="group" aria-label={runStrings.code(language)}>
        <code>
          {lines === null
            ? code
            : lines.map((tokens, line) => (
                <span key={line}>
                  {tokens.map((token) => (
                    <span key={token.offset} style={{ color: token.color }}>
                      {token.content}
                    </span>
                  ))}
                  {'\n'}
                </span>
              ))}
        </code>
      </pre>
      <CopyButton name={runStrings.copyCode} text={() => code} className="code-copy" />
    </div>
  );
}

function Fence({ children }: ElementProps) {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = '', children: code } = children.props;
  return (
    <CodeFence
      code={typeof code === 'string' ? code.replace(/\n$/, '') : ''}
      language={LANGUAGE.exec(className)?.[1] ?? ''}
    />
  );
}

/** Wide tables scroll inside their own box. */
function Table({ children }: ElementProps) {
  return (
    <div className="prose-table" tabIndex={0} role="region" aria-label={runStrings.table}>
      <table>{children}</table>
    </div>
  );
}

/** Streamdown's own parts carry another design, and controls; these are plain elements under `.prose`. */
const plain = (Tag: 'p' | 'h3' | 'ul' | 'ol' | 'li' | 'blockquote' | 'strong' | 'em' | 'del') =>
  function Plain({ children }: ElementProps) {
    return <Tag>{children}</Tag>;
  };

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  pre: Fence,
  code: ({ children }) => <code>{children}</code>,
  table: Table,
  thead: ({ children }) => <thead>{children}</thead>,
  tbody: ({ children }) => <tbody>{children}</tbody>,
  tr: ({ children }) => <tr>{children}</tr>,
  th: ({ children, style }) => <th style={style}>{children}</th>,
  td: ({ children, style }) => <td style={style}>{children}</td>,
  p: plain('p'),
  // Under the page's own headings, and without levels of their own: agents skip them as they like.
  h1: plain('h3'),
  h2: plain('h3'),
  h3: plain('h3'),
  h4: plain('h3'),
  h5: plain('h3'),
  h6: plain('h3'),
  ul: plain('ul'),
  ol: ({ children, start }) => <ol start={start}>{children}</ol>,
  li: plain('li'),
  blockquote: plain('blockquote'),
  strong: plain('strong'),
  em: plain('em'),
  del: plain('del'),
  sup: ({ children }) => <sup>{children}</sup>,
  section: ({ children }) => <div>{children}</div>,
  hr: () => <hr />,
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} disabled aria-label={runStrings.task} />,
};

const rehypePlugins = [rehypeSafeTree];
const remarkPlugins = Object.values(defaultRemarkPlugins).slice(0, 1);

/**
 * Agent text as Markdown (B31): HTML is text, nothing is loaded, links ask first. `live` closes what is still open
 * while it streams and shows the caret; only the last block is read again with each delta.
 */
export const Markdown = memo(function Markdown({
  text,
  live = false,
}: {
  readonly text: string;
  readonly live?: boolean;
}) {
  return (
    <div className="prose" data-live={live}>
      <Streamdown
        mode="streaming"
        dir="auto"
        parseIncompleteMarkdown={live}
        isAnimating={live}
        controls={false}
        components={components}
        rehypePlugins={rehypePlugins}
        remarkPlugins={remarkPlugins}
      >
        {text}
      </Streamdown>
    </div>
  );
});
