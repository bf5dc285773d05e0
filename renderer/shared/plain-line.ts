/**
 * The first line of a Markdown text as plain words, for places that have one line and no formatting: marks of headings,
 * lists, quotes, code, emphasis and links go, their words stay.
 */
export function plainLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  return line
    .replace(/^(?:#{1,6}|[-*+>]|\d+[.)])\s+/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(`+)\s?(.+?)\s?\1/g, '$2');
}
