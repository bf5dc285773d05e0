import { isBuiltin } from 'node:module';

/**
 * Node's own modules without Node's ESM view of them: to make that view of one, Node reads every one of its exports, and behind some of them
 * (`http.WebSocket`, `fs.ReadStream`) lie 50 ms of further modules. Here only the names that a bundle uses are read.
 *
 * @type {import('esbuild').Plugin}
 */
export const builtins = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_][a-z_/0-9]*$/ }, ({ path, kind }) => {
      if (kind !== 'import-statement' && kind !== 'dynamic-import') return undefined;
      if (!isBuiltin(path)) return undefined;
      return { path: path.startsWith('node:') ? path : `node:${path}`, namespace: 'builtin', sideEffects: false };
    });
    build.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({ contents: namesOf(path), loader: 'js' }));
  },
};

/**
 * Each name is read when it is used somewhere, and else falls out of the bundle.
 * @param {string} path
 */
function namesOf(path) {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  return [
    `const all = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'export default all;',
    ...names
      .filter((name) => name !== 'default')
      .map((name, at) => `const name${at} = /* @__PURE__ */ (() => all.${name})(); export { name${at} as ${name} };`),
  ].join('\n');
}
