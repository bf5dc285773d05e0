import type { Entry } from '../../core/protocol/entry.ts';
import { inspectStrings } from '../shared/inspect-strings.ts';
import { toast } from '../ui/toast.tsx';
import type { MenuItem } from '../ui/menu.tsx';
import { attempt, core } from './client.ts';

const words = inspectStrings.export;
type Format = 'md' | 'json' | 'html';

/** Hands a text to the person as a file. */
function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has the content by then, or never.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

function exportAs(id: string, format: Format): void {
  void attempt(words.failed, async () => {
    const { name, type, text } = await core.export.render({ id, format });
    save(name, type, text);
    toast(words.done(name));
  });
}

/** Exports of a run, set or conversation, for a menu. */
export function exportItems(id: string): readonly MenuItem[] {
  return (['md', 'json', 'html'] as const).map((format) => ({
    label: words[format],
    onSelect: () => {
      exportAs(id, format);
    },
  }));
}

const PAGE = 500;

/** Puts the whole transcript of a run on the clipboard, whatever of it the page has. */
export function copyTranscript(runId: string): void {
  void attempt(words.failed, async () => {
    const entries: Entry[] = [];
    for (let count = 1; entries.length < count;) {
      const page = await core.transcript.page({ run_id: runId, from: entries.length, limit: PAGE });
      if (page.entries.length === 0) break;
      entries.push(...page.entries);
      count = page.entry_count;
    }
    await navigator.clipboard.writeText(entries.map(entryText).join('\n\n'));
    toast(words.copied);
  });
}

/** An entry as it is copied: a call of a tool with its arguments, everything else as its text. */
export function entryText({ meta, text }: Entry): string {
  if (meta.type !== 'tool_call' || !('title' in meta)) return text;
  return [String(meta.title), text].filter((part) => part !== '').join('\n');
}
