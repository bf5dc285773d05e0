import { useEffect, useState } from 'react';
import type { HighlighterCore, LanguageInput, ThemedToken } from 'shiki/core';

/** Grammars that are worth their size; each is fetched when first seen. Other code stays plain. */
const GRAMMARS = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} satisfies Record<string, () => Promise<{ default: LanguageInput }>>;
type Grammar = keyof typeof GRAMMARS;

const ALIASES: Readonly<Record<string, Grammar>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'c++': 'cpp',
  js: 'javascript',
  jsx: 'tsx',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  json5: 'json',
  md: 'markdown',
  patch: 'diff',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  ts: 'typescript',
  yml: 'yaml',
  xml: 'html',
};

/** The grammar for the word after a fence, if we have one. */
function grammarOf(language: string): Grammar | null {
  const word = language.toLowerCase();
  if (Object.hasOwn(GRAMMARS, word)) return word as Grammar;
  return Object.hasOwn(ALIASES, word) ? (ALIASES[word] ?? null) : null;
}

let highlighter: Promise<HighlighterCore> | null = null;

async function begin(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ]);
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'page', variablePrefix: '--code-' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

async function tokens(code: string, grammar: Grammar): Promise<readonly (readonly ThemedToken[])[]> {
  highlighter ??= begin();
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(grammar)) await shiki.loadLanguage(GRAMMARS[grammar]);
  return shiki.codeToTokensBase(code, { lang: grammar, theme: 'page' });
}

/** Code above this many characters stays plain: colouring it would hold up the page. */
const LARGEST = 20_000;

interface Coloured {
  readonly code: string;
  readonly lines: readonly (readonly ThemedToken[])[];
}

/** The code as coloured tokens, or null while there are none: not ready, no grammar, too large, or `ready` is false. */
export function useHighlight(
  code: string,
  language: string,
  ready: boolean,
): readonly (readonly ThemedToken[])[] | null {
  const [coloured, setColoured] = useState<Coloured | null>(null);
  useEffect(() => {
    const grammar = grammarOf(language);
    if (!ready || grammar === null || code.length > LARGEST) return;
    let current = true;
    tokens(code, grammar).then(
      (lines) => {
        if (current) setColoured({ code, lines });
      },
      // Without colours the code is as readable as before.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [code, language, ready]);
  return coloured?.code === code ? coloured.lines : null;
}
