import { useEffect, useState } from 'react';
import { attempt } from '../../app/client.ts';
import { useCommands } from '../../app/commands.ts';
import { bindKey, loadKeys, useBoundKeys } from '../../app/key-bindings.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { chordCaps, chordOf } from '../../shared/keys.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button, KeyCap } from '../../ui/button.tsx';
import { keyLines, type KeyLine } from './key-conflicts.ts';
import { Group, Section } from './setting.tsx';

const words = settingsStrings.shortcuts;

function bind(command: string, chord: string | null | undefined): void {
  void attempt(words.failed, () => bindKey(command, chord));
}

/** Takes the next key that is pressed. Escape and leaving the field change nothing. */
function Recorder({ line, onDone }: { readonly line: KeyLine; readonly onDone: () => void }) {
  const [unusable, setUnusable] = useState(false);
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {unusable && (
        <span role="alert" className="text-11 text-bad-text">
          {words.notUsable}
        </span>
      )}
      <input
        className="field w-[190px]"
        aria-label={words.change(visibleText(line.title), line.chord === null ? words.noKey : chordCaps(line.chord))}
        readOnly
        autoFocus
        value={words.press}
        onBlur={onDone}
        onKeyDown={(event) => {
          if (event.key === 'Tab') return;
          event.preventDefault();
          event.stopPropagation();
          // Commands listen on the window, past React.
          event.nativeEvent.stopImmediatePropagation();
          if (event.key === 'Escape') return onDone();
          const chord = chordOf(event.nativeEvent);
          setUnusable(chord === 'unusable');
          if (chord === null || chord === 'unusable') return;
          bind(line.id, chord);
          onDone();
        }}
      />
    </span>
  );
}

function Act({
  name,
  label,
  onClick,
}: {
  readonly name: string;
  readonly label: string;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className="link" aria-label={name} onClick={onClick}>
      {label}
    </button>
  );
}

function Line({ line }: { readonly line: KeyLine }) {
  const [recording, setRecording] = useState(false);
  const title = visibleText(line.title);
  const key = line.chord === null ? words.noKey : chordCaps(line.chord);
  return (
    <li className="setting" data-setting={`key-${line.id}`}>
      <span className="setting-words">
        {title}
        {line.conflicts.length > 0 && (
          <span className="block text-11 text-warn">{words.conflict(line.conflicts.map(visibleText).join(', '))}</span>
        )}
      </span>
      <span className="setting-control">
        {line.isBound && !recording && (
          <Act
            name={settingsStrings.resetOf(title)}
            label={settingsStrings.reset}
            onClick={() => {
              bind(line.id, undefined);
            }}
          />
        )}
        {line.chord !== null && !recording && (
          <Act
            name={words.clearOf(title)}
            label={words.clear}
            onClick={() => {
              bind(line.id, null);
            }}
          />
        )}
        {recording ? (
          <Recorder
            line={line}
            onDone={() => {
              setRecording(false);
            }}
          />
        ) : (
          <Button
            aria-label={words.change(title, key)}
            onClick={() => {
              setRecording(true);
            }}
          >
            {line.chord === null ? <span className="text-ink-3">{words.noKey}</span> : <KeyCap chord={line.chord} />}
          </Button>
        )}
      </span>
    </li>
  );
}

/** Every command with its key; the user's own are kept in `keys.json`. */
export function ShortcutsSection() {
  const commands = useCommands((state) => state.commands);
  const { path, keys, problem } = useBoundKeys();
  useEffect(() => {
    void attempt(words.failed, loadKeys);
  }, []);
  const lines = keyLines(commands, keys);
  const twice = new Set(lines.filter(({ conflicts }) => conflicts.length > 0).map(({ chord }) => chord)).size;
  return (
    <Section title={settingsStrings.sections.shortcuts} intro={words.intro}>
      <p className="mt-2 flex flex-wrap items-center gap-3 text-11 text-ink-3">
        <span className="grow">
          {words.file} <code>{visibleText(path)}</code>
        </span>
        <Button
          chord={commands.findLast(({ id }) => id === 'shortcuts')?.chord ?? undefined}
          onClick={() => {
            openOverlay({ type: 'shortcuts' });
          }}
        >
          {words.overview}
        </Button>
      </p>
      {problem !== null && (
        <p role="alert" className="mt-2 text-bad-text">
          {words.problem}: {visibleText(problem)}
        </p>
      )}
      {twice > 0 && (
        <p role="status" className="mt-2 text-warn">
          {words.conflicts(twice)}
        </p>
      )}
      <div data-setting="keys">
        <Group>
          <ul className="settings-items" aria-label={settingsStrings.sections.shortcuts}>
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ul>
        </Group>
      </div>
    </Section>
  );
}
