import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

const html = (text: string, live = false): string => renderToStaticMarkup(<Markdown text={text} live={live} />);

/** Elements that act or load, and attributes that do. */
const ELEMENTS = /^<(?:script|style|iframe|img|object|embed|form|meta|link|base|video|audio)\b/i;
const ATTRIBUTES = /\s(?:on\w+|href|src|srcdoc|action|formaction|xlink:href)=/i;

/** The tags of a page that a browser would act on. Text is no tag: its `<` is escaped. */
const acting = (page: string): readonly string[] =>
  [...page.matchAll(/<[^>]+>/g)].map(([tag]) => tag).filter((tag) => ELEMENTS.test(tag) || ATTRIBUTES.test(tag));

describe('Markdown of agent text (B31)', () => {
  it('the check sees what acts', () => {
    expect(acting('<p>&lt;img&gt;</p><img src=x><b onclick="x"><a href="y">')).toHaveLength(3);
  });

  it.each([
    ['an image with a handler', `<img src=x onerror="document.title='XSS'">`, '&lt;img src=x onerror='],
    ['an inline handler', `before <svg onload="document.title='XSS'"> after`, '&lt;svg onload='],
    ['a frame', `<iframe srcdoc="<script>top.document.title='XSS'</script>"></iframe>`, '&lt;iframe srcdoc='],
    ['a style', '<style>*{display:none}</style>', '&lt;style&gt;'],
    ['a script block', '<script>\nalert(1)\n</script>', '&lt;script&gt;'],
    ['a form', '<form action="https://evil.example"><input name=x></form>', '&lt;form action='],
    ['a comment', '<!-- <img src=x onerror=alert(1)> -->', '&lt;!--'],
    ['HTML inside a list', '- <b onclick=alert(1)>x</b>', '&lt;b onclick='],
    ['HTML inside a table', '| a |\n|---|\n| <img src=x onerror=alert(1)> |', '&lt;img src=x'],
    ['a mermaid block with HTML', '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```', '&lt;img src=x'],
    ['a formula with HTML', '$$\\href{javascript:alert(1)}{<img src=x>}$$', '&lt;img src=x&gt;'],
    ['HTML as inline code', '`<img src=x onerror=alert(1)>`', '&lt;img src=x'],
  ])('shows %s as text', (_what, text, shown) => {
    for (const live of [false, true]) {
      expect(html(text, live)).toContain(shown);
      expect(acting(html(text, live))).toEqual([]);
    }
  });

  it.each([
    ["[a](javascript:document.title='XSS')", 'a (javascript:document.title='],
    ['[x](file:///etc/passwd)', 'x (file:///etc/passwd)'],
    ['[x](data:text/html,hello)', 'x (data:text/html,hello)'],
    ['[x](/settings)', 'x (/settings)'],
    ['<javascript:alert(1)>', '(javascript:alert(1))'],
    ['[x][r]\n\n[r]: vbscript:x', 'x (vbscript:x)'],
  ])('%s is no link, and says where it would lead', (text, shown) => {
    expect(html(text)).toContain(shown);
    expect(html(text)).not.toContain('role="link"');
    expect(acting(html(text))).toEqual([]);
  });

  it('loads no image: it is a link, if it may open', () => {
    const shown = html('![p](http://127.0.0.1:9009/leak?q=1)');
    expect(shown).toContain('Image: p');
    expect(shown).toContain('role="link"');
    expect(acting(shown)).toEqual([]);
    expect(html('![p](data:image/svg+xml,x)')).toContain('Image: p (data:image/svg+xml,x)');
  });

  it('a link that may open has no address on the page', () => {
    const shown = html('[docs](https://example.com/a), https://example.com/b and <mailto:a@example.com>');
    expect(shown.match(/role="link"/g)).toHaveLength(3);
    expect(acting(shown)).toEqual([]);
  });

  it('writes out characters that hide or reorder text', () => {
    expect(html('run admin\u202Egnp.exe or `rm\u200B -rf`')).toContain('admin⟨U+202E⟩gnp.exe');
    expect(html('`rm\u200B -rf`')).toContain('rm⟨U+200B⟩ -rf');
    expect(html('[x\u202E](https://example.com)')).toContain('x⟨U+202E⟩');
  });

  it('gives no identifier and no class of the text to the page', () => {
    const shown = html('# root\n\nText[^1]\n\n[^1]: note');
    expect(shown).not.toMatch(/\sid=/);
    expect(shown).not.toMatch(/user-content/);
  });

  it('draws what Markdown has', () => {
    const shown = html(
      '**b** *i* ~~d~~\n\n1. one\n\n> q\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n\n```ts\nlet a = 1\n```',
    );
    for (const part of [
      '<strong>b',
      '<em>i',
      '<del>d',
      '<ol',
      '<blockquote>',
      '<table>',
      'type="checkbox"',
      'let a = 1',
    ]) {
      expect(shown).toContain(part);
    }
  });

  it('closes what is still open while it streams, and not afterwards', () => {
    expect(html('some **bold', true)).toContain('<strong>bold');
    expect(html('some **bold', false)).toContain('**bold');
    expect(html('a [link](https://exam', true)).not.toContain('streamdown:');
  });
});
