import { expect, test } from 'vitest';
import { initialScripts } from './initial-size.mjs';

const manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_client.js', '_react.js'],
    dynamicImports: ['tree.tsx'],
  },
  '_client.js': { file: 'assets/client.js', imports: ['_react.js', 'index.html'] },
  '_react.js': { file: 'assets/react.js' },
  'tree.tsx': { file: 'assets/tree.js', imports: ['_react.js', '_flow.js'] },
  '_flow.js': { file: 'assets/flow.js' },
  'style.css': { file: 'assets/style.css' },
};

test('the page begins with its entry and what that imports, once each, in a circle too; lazy parts do not count', () => {
  expect(initialScripts(manifest)).toEqual(['assets/client.js', 'assets/index.js', 'assets/react.js']);
});

test('a manifest without an entry is an error, not a page of nothing', () => {
  expect(() => initialScripts({})).toThrow('no entry');
});
