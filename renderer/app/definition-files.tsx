import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { strings } from '../shared/strings.ts';
import type { Bounds } from '../shared/text-bounds.ts';
import { visibleText } from '../shared/visible-text.ts';
import { BoundedText } from '../ui/bounded-text.tsx';
import { Icon } from '../ui/icon.tsx';
import { api, describeFailure } from './client.ts';
import './definition-files.css';

const words = strings.trust;

/** Most definitions are shorter; of a longer one all can be asked for. */
const SHOWN: Bounds = { lines: 60, characters: 12_000 };
/** So many are open from the start: then nothing must be unfolded to see what is consented to. */
const FEW = 2;

interface FileOf {
  readonly project_id: string;
  /** Of what is shown: another content is not. */
  readonly digest: string;
  readonly path: string;
}

/** The text as it is in the file: nothing of it is drawn, followed or run (B31). */
function Text(file: FileOf) {
  const { data, error } = useQuery({ ...api.projects.definition.queryOptions({ input: file }), staleTime: Infinity });
  if (error !== null) return <p className="text-bad-text">{describeFailure(error).message}</p>;
  if (data === undefined) return <p className="text-ink-3">{words.reading}</p>;
  if (data.text === '') return <p className="text-ink-3">{words.empty}</p>;
  return <BoundedText text={data.text} bounds={SHOWN} className="definition-text" />;
}

function DefinitionFile({ first, ...file }: FileOf & { readonly first: boolean }) {
  const [open, setOpen] = useState(first);
  const id = useId();
  const path = visibleText(file.path);
  return (
    <li>
      <button
        type="button"
        className="definition-head"
        aria-label={words.textOf(path)}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <Icon name={open ? 'down' : 'right'} />
        <code>{path}</code>
      </button>
      {open && (
        <div id={id} className="definition-body">
          <Text {...file} />
        </div>
      )}
    </li>
  );
}

/** The files that a project brings, each with its text to judge it by before it is trusted (A4). */
export function DefinitionFiles({
  project_id,
  digest,
  files,
}: Omit<FileOf, 'path'> & { readonly files: readonly string[] }) {
  return (
    <ul className="definition-files" aria-label={words.brings}>
      {files.map((path) => (
        <DefinitionFile
          key={`${digest} ${path}`}
          project_id={project_id}
          digest={digest}
          path={path}
          first={files.length <= FEW}
        />
      ))}
    </ul>
  );
}
