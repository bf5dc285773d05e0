import { plainText } from '../../kit/terminal-text.ts';
import { entryText } from './transcript-text.ts';
import { duration, money } from './plain-words.ts';
import type { Exported, ExportedRun } from './exported.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return plainText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The page loads nothing and runs nothing, whatever a browser makes of its content. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f3;padding:.75rem;border-radius:6px}' +
  '@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}pre{background:#222}}';

/** A conversation as one page that stands alone. */
export function toHtml({ conversation, sets, runs }: Exported): string {
  const of = (id: string | null): string =>
    runs
      .filter(({ run }) => run.delegation_id === id)
      .map(section)
      .join('');
  const parts = sets.map((set) => `<h2>Set ${set.set} (${escaped(set.status)})</h2>${of(set.delegation_id)}`);
  const title = escaped(conversation.title);
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>` +
    `<body><h1>${title}</h1><p>Conversation ${escaped(conversation.conversation_id)}</p>` +
    `${of(null)}${parts.join('')}</body></html>\n`
  );
}

function section({ run, result, transcript }: ExportedRun): string {
  const head = `<h3>${escaped(`${run.tag} ${run.label ?? run.goal}`.trim().slice(0, 200))}</h3>`;
  const facts = `${run.words} · agent ${run.agent} · ${duration(run.active_seconds)}, ${money(run.cost_usd)} · ${run.run_id}`;
  const part = (name: string, text: string | undefined): string =>
    text === undefined || text === '' ? '' : `<h4>${name}</h4><pre>${escaped(text)}</pre>`;
  const entries = transcript.map(entryText).join('');
  const folded = entries === '' ? '' : `<details><summary>Transcript</summary><pre>${escaped(entries)}</pre></details>`;
  return (
    `<section>${head}<p>${escaped(facts)}</p>${part('Goal', run.goal)}` +
    `${part('Answer', result?.summary)}${part('Error', result?.error)}${folded}</section>`
  );
}
