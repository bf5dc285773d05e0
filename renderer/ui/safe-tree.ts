import { linkTarget } from '../shared/link-target.ts';
import { visibleText } from '../shared/visible-text.ts';

/** The part of a hast node that matters here. */
export interface SafeNode {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: SafeNode[];
}

/** Elements that Markdown makes, and what each may carry. Anything else gives way to its children. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  p: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  ul: ['className'],
  ol: ['start'],
  li: ['className'],
  blockquote: [],
  pre: [],
  code: ['className'],
  em: [],
  strong: [],
  del: [],
  a: ['href'],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['align'],
  td: ['align'],
  hr: [],
  br: [],
  sup: [],
  section: [],
  input: ['type', 'checked', 'disabled'],
};

const text = (value: string): SafeNode => ({ type: 'text', value: visibleText(value) });

function property(node: SafeNode, name: string): string {
  const value = node.properties?.[name];
  return typeof value === 'string' ? value : '';
}

function link(href: string, children: SafeNode[]): SafeNode[] {
  const target = linkTarget(href);
  if (target.type === 'open') return [{ type: 'element', tagName: 'a', properties: { href: target.href }, children }];
  // Links of footnotes, and the end of a text that is still arriving, have nothing to show.
  const nothing = href === '' || href.startsWith('#') || href.startsWith('streamdown:');
  return nothing ? children : [...children, text(` (${target.shown})`)];
}

/** An image is never loaded: it is its text, and a link if it may open. */
function image(node: SafeNode): SafeNode[] {
  const alt = property(node, 'alt');
  return link(property(node, 'src'), [text(alt === '' ? 'Image' : `Image: ${alt}`)]);
}

function kept(node: SafeNode, tagName: string, allowed: readonly string[]): SafeNode {
  const properties = Object.fromEntries(
    Object.entries(node.properties ?? {}).filter(([name]) => allowed.includes(name)),
  );
  return { type: 'element', tagName, properties, children: safe(node.children ?? []) };
}

function safeNode(node: SafeNode): SafeNode[] {
  if (node.type === 'text' || node.type === 'raw') return [text(node.value ?? '')];
  if (node.type !== 'element' || node.tagName === undefined) return [];
  if (node.tagName === 'img') return image(node);
  if (node.tagName === 'a') return link(property(node, 'href'), safe(node.children ?? []));
  const allowed = Object.hasOwn(KEPT, node.tagName) ? KEPT[node.tagName] : undefined;
  return allowed === undefined ? safe(node.children ?? []) : [kept(node, node.tagName, allowed)];
}

function safe(children: readonly SafeNode[]): SafeNode[] {
  return children.flatMap(safeNode);
}

/**
 * Rehype plugin that keeps only what Markdown itself makes (B31): no HTML, no image, no identifier, no address other
 * than those that may open; hidden characters are written out. It works by what it lets through.
 */
export function rehypeSafeTree(): (tree: SafeNode) => void {
  return (tree) => {
    tree.children = safe(tree.children ?? []);
  };
}
