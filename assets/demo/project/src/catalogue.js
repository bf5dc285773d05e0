import { readFileSync } from 'node:fs';

const books = JSON.parse(readFileSync(new URL('../data/books.json', import.meta.url), 'utf8'));

export function findBySku(sku) {
  return books.find((book) => book.sku === sku);
}

export function search(term) {
  const wanted = term.trim().toLowerCase();
  return books.filter((book) => `${book.title} ${book.author}`.toLowerCase().includes(wanted));
}
