import type { AgentFile } from '../../../core/protocol/agents.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Group } from './setting.tsx';

const words = settingsStrings.agents;

interface FileActions {
  readonly onEdit: (file: AgentFile) => void;
  readonly onRemove: (file: AgentFile) => void;
}

function FileButtons({
  file,
  name,
  onEdit,
  onRemove,
}: FileActions & { readonly file: AgentFile; readonly name: string }) {
  return (
    <span className="flex items-center gap-1">
      {file.state === 'untrusted' && (
        <Button
          onClick={() => {
            openOverlay({ type: 'settings', section: 'projects' });
          }}
        >
          {words.trust}
        </Button>
      )}
      <IconButton
        icon="edit"
        name={words.editOf(name)}
        onClick={() => {
          onEdit(file);
        }}
      />
      <IconButton
        icon="close"
        name={words.removeOf(name)}
        onClick={() => {
          onRemove(file);
        }}
      />
    </span>
  );
}

function FileLine({ file, ...actions }: FileActions & { readonly file: AgentFile }) {
  const { path, id, state, fault, source } = file;
  const name = visibleText(id ?? path.split(/[\\/]/).at(-1) ?? path);
  const isFaulty = state === 'faulty';
  return (
    <li className="settings-line" aria-label={name}>
      <span className={isFaulty ? 'text-bad' : 'text-ink-3'}>
        <Icon name={isFaulty ? 'warning' : 'minus'} />
      </span>
      <span>
        <span className="font-med">{name}</span>
        <span className="block text-11 text-ink-3">{words.sources[source]}</span>
      </span>
      <span className="line-detail min-w-0">
        <code className="block">{visibleText(path)}</code>
        <span className={`text-11 ${isFaulty ? 'text-bad-text' : 'text-ink-3'}`}>
          {state !== 'used' && words.states[state]} {fault !== null && visibleText(fault)}
        </span>
      </span>
      <FileButtons file={file} name={name} {...actions} />
    </li>
  );
}

/** Files of definitions that do not count now, each with why, and a way to mend it. */
export function UnusedFiles({ files, ...actions }: FileActions & { readonly files: readonly AgentFile[] }) {
  const unused = files.filter(({ state }) => state !== 'used');
  if (unused.length === 0) return null;
  return (
    <Group title={words.unused}>
      <ul className="settings-items" aria-label={words.unused}>
        {unused.map((file) => (
          <FileLine key={file.path} file={file} {...actions} />
        ))}
      </ul>
    </Group>
  );
}
