/**
 * Lint rules of this repository's own style that no published plugin has.
 *
 * @typedef {import('eslint').AST.Program['body'][number]} Statement
 * @typedef {Parameters<NonNullable<import('eslint').Rule.RuleListener['CallExpression']>>[0]} Call
 */

const DISABLE = /^\s*eslint-disable/;
const REASON = /\s--\s+\S.{9,}/s;

/**
 * A suppression states its reason: `// eslint-disable-next-line x -- why`.
 * @type {import('eslint').Rule.RuleModule}
 */
const suppressionReason = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { missing: 'a suppression states its reason: `-- why` (10 characters or more)' },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.loc && DISABLE.test(comment.value) && !REASON.test(comment.value)) {
            context.report({ loc: comment.loc, messageId: 'missing' });
          }
        }
      },
    };
  },
};

/**
 * A file that only re-exports is a barrel: it hides what imports what.
 * @type {import('eslint').Rule.RuleModule}
 */
const noBarrel = {
  meta: { type: 'problem', schema: [], messages: { barrel: 'no barrels: import from the file that declares it' } },
  create(context) {
    return {
      Program(node) {
        const body = node.body.filter((statement) => statement.type !== 'ImportDeclaration');
        if (body.length > 0 && body.every(isReExport)) context.report({ node, messageId: 'barrel' });
      },
      ExportAllDeclaration(node) {
        context.report({ node, messageId: 'barrel' });
      },
    };
  },
};

/** @param {Statement} statement */
function isReExport(statement) {
  if (statement.type === 'ExportAllDeclaration') return true;
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration) return false;
  return statement.source !== null || statement.specifiers.length > 0;
}

const FOLDERS = /(^|[\\/])(utils?|helpers?|misc|managers?|common)([\\/]|\.[a-z]+$)/;

/**
 * A folder is a noun of the domain.
 * @type {import('eslint').Rule.RuleModule}
 */
const domainNames = {
  meta: { type: 'problem', schema: [], messages: { name: 'the path "{{path}}" names nothing of the domain' } },
  create(context) {
    return {
      Program(node) {
        const path = context.filename.slice(context.cwd.length);
        if (FOLDERS.test(path)) context.report({ node, messageId: 'name', data: { path } });
      },
    };
  },
};

const TEST_CALLS = new Set(['test', 'it']);
const SWITCHED_OFF = new Set(['skip', 'only', 'todo', 'fixme', 'skipIf', 'runIf']);

/**
 * A test is never switched off, and its title is unique within its file.
 * @type {import('eslint').Rule.RuleModule}
 */
const honestTests = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { twice: 'the title is used twice in this file', off: 'no test is switched off: mend it or remove it' },
  },
  create(context) {
    const seen = new Set();
    /** @type {string[]} */
    const path = [];
    return {
      CallExpression(node) {
        const title = titleOf(node);
        if (calleeName(node.callee) === 'describe') path.push(title ?? '');
        if (!TEST_CALLS.has(calleeName(node.callee)) || title === undefined) return;
        const key = JSON.stringify([...path, title]);
        if (seen.has(key)) context.report({ node, messageId: 'twice' });
        seen.add(key);
      },
      'CallExpression:exit'(node) {
        if (calleeName(node.callee) === 'describe') path.pop();
      },
      MemberExpression(node) {
        const object = node.object.type === 'Identifier' ? node.object.name : '';
        if (!TEST_CALLS.has(object) && object !== 'describe') return;
        if (node.property.type === 'Identifier' && SWITCHED_OFF.has(node.property.name)) {
          context.report({ node, messageId: 'off' });
        }
      },
    };
  },
};

/** @param {Call['callee']} callee */
function calleeName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return '';
  // `test.step` is a part of a test, not one.
  return callee.property.type === 'Identifier' && callee.property.name === 'step' ? '' : callee.object.name;
}

/** @param {Call} call */
function titleOf(call) {
  const first = call.arguments[0];
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
}

export default {
  rules: {
    'suppression-reason': suppressionReason,
    'no-barrel': noBarrel,
    'domain-names': domainNames,
    'honest-tests': honestTests,
  },
};
