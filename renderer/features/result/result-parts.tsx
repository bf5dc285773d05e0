import { useState, type ReactNode } from 'react';
import type { ProcessName } from '../../../core/protocol/report.ts';
import type { ResultEntry } from '../../../core/protocol/result-entry.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { JsonTree } from './json-tree.tsx';
import { schemaWords, type Fact } from './result-words.ts';

const words = runStrings.result;

/** A titled part of the result. */
export function Part({
  title,
  end,
  children,
}: {
  readonly title: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="result-part" aria-label={title}>
      <div className="result-title">
        <h3>{title}</h3>
        {end}
      </div>
      {children}
    </section>
  );
}

/** Facts as a table of two columns. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={`${name} ${value}`}>
          <dt>{name}</dt>
          <dd>{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Paths shown before the rest is asked for. */
const FEW_FILES = 12;

export function Files({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  const [all, setAll] = useState(false);
  if (paths.length === 0) return null;
  const shown = all ? paths : paths.slice(0, FEW_FILES);
  return (
    <Part title={title} end={<span className="text-ink-3">{paths.length.toLocaleString()}</span>}>
      <ul className="font-mono text-11 leading-[18px] text-ink-2">
        {shown.map((path) => (
          <li key={path} className="el select-text" title={visibleText(path)}>
            {visibleText(path)}
          </li>
        ))}
      </ul>
      {shown.length < paths.length && (
        <button
          type="button"
          className="link mt-1"
          onClick={() => {
            setAll(true);
          }}
        >
          {words.moreFiles(paths.length - shown.length)}
        </button>
      )}
    </Part>
  );
}

export function Processes({
  title,
  processes,
}: {
  readonly title: string;
  readonly processes: readonly ProcessName[];
}) {
  if (processes.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="font-mono text-11 leading-[18px] text-ink-2">
        {processes.map(({ pid, command }) => (
          <li key={pid} className="select-text break-all">
            <span className="text-ink-3">{pid}</span> {visibleText(command)}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Status({ status }: Pick<NonNullable<ResultEntry['acceptance']>, 'status'>) {
  switch (status) {
    case 'passed':
      return <span className="text-ok">{words.passed}</span>;
    case 'failed':
      return <span className="text-warn">{words.failedWord}</span>;
    case 'none':
      return <span className="text-ink-3">{words.notRun}</span>;
  }
}

/** The acceptance commands and how each went. */
export function Acceptance({ result }: { readonly result: ResultEntry }) {
  const { acceptance } = result;
  if (acceptance === undefined || acceptance.commands.length === 0) return null;
  return (
    <Part title={words.acceptance} end={<Status status={acceptance.status} />}>
      {acceptance.commands.map(({ command, exit_code: code, seconds, output }, place) => (
        <details key={`${place} ${command}`} className="acceptance" open={code !== 0}>
          <summary>
            <span className={code === 0 ? 'text-ok' : 'text-bad-text'}>
              <Icon name={code === 0 ? 'check' : 'close'} />
            </span>
            <code className="el grow" title={visibleText(command)}>
              {visibleText(command)}
            </code>
            <span className="num text-11 text-ink-3">{words.seconds(seconds)}</span>
            {code !== 0 && <span className="text-11 text-bad-text">{words.exit(code)}</span>}
          </summary>
          <pre className="ansi" tabIndex={0}>
            {output.trim() === '' ? words.noCommandOutput : visibleText(output.slice(-4000))}
          </pre>
        </details>
      ))}
    </Part>
  );
}

/** The structured output: as a tree, or as the text it is. */
export function Output({ result }: { readonly result: ResultEntry }) {
  const [view, setView] = useState<'tree' | 'text'>('tree');
  if (result.output === undefined) return null;
  const choices = [
    ['tree', words.tree],
    ['text', words.text],
  ] as const;
  return (
    <Part
      title={words.output}
      end={
        <>
          <span className={result.schema_valid === false ? 'text-warn' : 'text-ink-3'}>{schemaWords(result)}</span>
          <span className="segmented" role="radiogroup" aria-label={words.view}>
            {choices.map(([id, name]) => (
              <button
                key={id}
                type="button"
                role="radio"
                aria-checked={view === id}
                onClick={() => {
                  setView(id);
                }}
              >
                {name}
              </button>
            ))}
          </span>
        </>
      }
    >
      {view === 'tree' ? (
        <JsonTree value={result.output} />
      ) : (
        <pre className="result-text" tabIndex={0}>
          {visibleText(JSON.stringify(result.output, null, 2))}
        </pre>
      )}
      {result.schema_errors !== undefined && result.schema_errors.length > 0 && (
        <ul className="mt-1 text-warn">
          {result.schema_errors.map((error) => (
            <li key={error}>{visibleText(error)}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}
