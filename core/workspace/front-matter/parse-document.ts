import { parseDocument } from 'yaml';

/** The YAML of a front matter; imported lazily, because most workers read none. */
export const parseFrontMatter = (text: string): ReturnType<typeof parseDocument> => parseDocument(text);
