import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ToolFixture } from './tool-fixture.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('read gives a text as it is and reports the file', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.ts'), 'const a = 1;\n\tb();\n');
  expect(await tools.call('read', { path: 'a.ts' })).toEqual({
    isError: false,
    text: 'const a = 1;\n\tb();',
    display: { type: 'files', paths: ['a.ts'] },
  });
  expect(tools.files).toEqual(['read a.ts']);
});

test('read pages through a file of lines, and says how to go on', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.txt'), Array.from({ length: 5321 }, (_, line) => `line ${line + 1}\n`).join(''));
  const first = (await tools.call('read', { path: 'a.txt' })).text.split('\n');
  expect(first).toHaveLength(2001);
  expect(first.at(-1)).toBe('[lines 1–2000 of 5321; continue with offset 2001]');
  expect((await tools.call('read', { path: 'a.txt', offset: 5320, limit: 10 })).text).toBe(
    'line 5320\nline 5321\n[lines 5320–5321 of 5321]',
  );
  expect(await tools.call('read', { path: 'a.txt', offset: 6000 })).toEqual({
    isError: true,
    text: '"a.txt" has 5321 lines; offset 6000 is past its end.',
  });
});

test('B30: read of 150 MB in one line and of 150 MB in lines stays small, in text and in memory', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('line.json'), Buffer.alloc(150_000_000, '日本'));
  writeFileSync(tools.path('lines.log'), `${'x'.repeat(99)}\n`.repeat(1_500_000));
  const before = process.memoryUsage().rss;
  const line = await tools.call('read', { path: 'line.json' });
  const lines = await tools.call('read', { path: 'lines.log' });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  expect(line.text.length).toBeLessThan(25_000);
  expect(line.text).not.toContain('\uFFFD');
  expect(line.text).toContain('[line cut: 150000000 bytes]');
  expect(lines.text.length).toBeLessThan(51_000);
  expect(lines.text).toContain('[lines 1–500 of 1500000; continue with offset 501]');
});

test('read refuses binary files naming their type, and shows images', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.pdf'), '%PDF-1.7\n');
  writeFileSync(tools.path('a.bin'), Buffer.from([1, 2, 0, 3]));
  writeFileSync(tools.path('a.png'), PNG);
  writeFileSync(tools.path('huge.png'), Buffer.concat([PNG, Buffer.alloc(6_000_000)]));
  expect((await tools.call('read', { path: 'a.pdf' })).text).toBe(
    '"a.pdf" is a PDF document (9 bytes), not text; nothing was read.',
  );
  expect((await tools.call('read', { path: 'a.bin' })).text).toContain('is a binary file (4 bytes)');
  expect(await tools.call('read', { path: 'a.png' })).toMatchObject({
    images: [{ mediaType: 'image/png', base64: PNG.toString('base64') }],
  });
  expect(await tools.call('read', { path: 'huge.png' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('at most 5242880') as string,
  });
});

test('read says what it left out: CRLF, escapes, bytes that are not UTF-8; an empty file is named so', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('crlf.txt'), 'a\r\nb\r\n');
  writeFileSync(tools.path('escapes.log'), '\x1b[31mred\x1b[0m\n\x1b]52;c;ZXZpbA==\x07x\n');
  writeFileSync(tools.path('latin.txt'), Buffer.from('caf\xe9\n', 'latin1'));
  writeFileSync(tools.path('old-mac.txt'), 'a\rb\rc');
  writeFileSync(tools.path('empty'), '');
  expect((await tools.call('read', { path: 'crlf.txt' })).text).toBe('a\nb\n[lines end with CRLF]');
  expect((await tools.call('read', { path: 'escapes.log' })).text).toBe(
    'red\nx\n[control characters and escape sequences are left out]',
  );
  expect((await tools.call('read', { path: 'latin.txt' })).text).toBe(
    'caf\uFFFD\n[bytes that are not UTF-8 are shown as \uFFFD]',
  );
  expect((await tools.call('read', { path: 'old-mac.txt' })).text).toBe('a\nb\nc');
  expect((await tools.call('read', { path: 'empty' })).text).toBe('(the file is empty)');
});

test('read of a missing file names close ones; folders, pipes and places outside are refused', async () => {
  await using tools = new ToolFixture();
  mkdirSync(tools.path('src'));
  writeFileSync(tools.path('src/index.ts'), 'x');
  writeFileSync(join(tools.outer, 'secret'), 'secret');
  symlinkSync('../secret', tools.path('link'));
  execFileSync('mkfifo', [tools.path('pipe')]);
  const text = async (path: string): Promise<string> => (await tools.call('read', { path })).text;
  expect(await text('src/indx.ts')).toBe('"src/indx.ts" does not exist. Did you mean "src/index.ts"?');
  expect(await text('src')).toBe('"src" is a folder, not a file. Use ls or glob.');
  expect(await text('pipe')).toBe('"pipe" is a named pipe, not a file.');
  expect(await text('../secret')).toContain('is outside of the workspace');
  expect(await text('link')).toContain('outside of the workspace through a link');
  expect(await text('a\0b')).toBe('The path holds a NUL character.');
  expect(tools.files).toEqual([]);
});

test('write creates folders, says created or replaced with bytes, and shows the change', async () => {
  await using tools = new ToolFixture();
  expect(await tools.call('write', { path: 'a/b/c.txt', content: 'é\n' })).toEqual({
    isError: false,
    text: 'Created a/b/c.txt (3 bytes).',
    display: { type: 'diff', path: 'a/b/c.txt', diff: '@@ -0,0 +1 @@\n+é', added: 1, removed: 0 },
  });
  chmodSync(tools.path('a/b/c.txt'), 0o755);
  expect(await tools.call('write', { path: 'a/b/c.txt', content: 'e\n' })).toMatchObject({
    text: 'Replaced a/b/c.txt (2 bytes).',
    display: { added: 1, removed: 1 },
  });
  expect(statSync(tools.path('a/b/c.txt')).mode & 0o777).toBe(0o755);
  expect(tools.files).toEqual(['write a/b/c.txt', 'write a/b/c.txt']);
});

test('A3: write and edit do not leave the workspace, also not through a link as the last component', async () => {
  await using tools = new ToolFixture();
  writeFileSync(join(tools.outer, 'victim'), 'victim');
  symlinkSync('../victim', tools.path('link'));
  symlinkSync('../created', tools.path('dangling'));
  for (const path of ['link', 'dangling', '../victim', '/etc/passwd']) {
    expect(await tools.call('write', { path, content: 'x' })).toMatchObject({ isError: true });
    expect(await tools.call('edit', { path, old_string: 'victim', new_string: 'x' })).toMatchObject({ isError: true });
  }
  expect(readFileSync(join(tools.outer, 'victim'), 'utf8')).toBe('victim');
  expect(readdirSync(tools.outer).sort()).toEqual(['victim', 'workspace']);
});

test('edit replaces one exact match, keeps CRLF, and shows the change', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.ts'), 'one\r\ntwo\r\nthree\r\n');
  expect(await tools.call('edit', { path: 'a.ts', old_string: 'one\ntwo', new_string: '1\n2' })).toMatchObject({
    isError: false,
    text: 'Edited a.ts: 1 replacement, +2 −2 lines.',
    display: { type: 'diff', added: 2, removed: 2 },
  });
  expect(readFileSync(tools.path('a.ts'), 'utf8')).toBe('1\r\n2\r\nthree\r\n');
});

test('edit that matches nothing or several places changes nothing and says where to look', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.ts'), 'let a = 1;\nlet b = 2;\nlet a = 1;\n');
  const several = await tools.call('edit', { path: 'a.ts', old_string: 'let a = 1;', new_string: 'x' });
  const none = await tools.call('edit', { path: 'a.ts', old_string: 'let  b = 2;', new_string: 'x' });
  const same = await tools.call('edit', { path: 'a.ts', old_string: 'let', new_string: 'let' });
  const empty = await tools.call('edit', { path: 'a.ts', old_string: '', new_string: 'x' });
  expect(several.text).toContain('occurs 2 times in "a.ts" (lines 1, 3)');
  expect(none.text).toContain('differs in white space only. It is:\n2: let b = 2;');
  expect(same.text).toContain('are the same');
  expect(empty.text).toContain('"old_string" must not be empty');
  expect([several, none, same, empty].every((result) => result.isError)).toBe(true);
  expect(
    (await tools.call('edit', { path: 'a.ts', old_string: 'let a', new_string: 'const a', replace_all: true })).text,
  ).toContain('2 replacements');
  expect(readFileSync(tools.path('a.ts'), 'utf8')).toBe('const a = 1;\nlet b = 2;\nconst a = 1;\n');
  expect((await tools.call('edit', { path: 'b.ts', old_string: 'a', new_string: 'b' })).text).toContain(
    'Did you mean "a.ts"? Create files with write.',
  );
});

test('edits at once in one file are made one after another, and none is lost', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.txt'), Array.from({ length: 10 }, (_, n) => `value ${n};\n`).join(''));
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      tools.call('edit', {
        path: n % 2 === 0 ? 'a.txt' : './a.txt',
        old_string: `value ${n};`,
        new_string: `done ${n};`,
      }),
    ),
  );
  expect(results.filter((result) => result.isError)).toEqual([]);
  expect(readFileSync(tools.path('a.txt'), 'utf8')).toBe(Array.from({ length: 10 }, (_, n) => `done ${n};\n`).join(''));
});

test('edit refuses binary files and leaves them as they are', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.bin'), Buffer.from('a\0b'));
  expect((await tools.call('edit', { path: 'a.bin', old_string: 'a', new_string: 'c' })).text).toContain(
    'is a binary file, not text',
  );
  expect(readFileSync(tools.path('a.bin'), 'latin1')).toBe('a\0b');
});

test('ls lists folders, sizes and link targets in order', async () => {
  await using tools = new ToolFixture();
  mkdirSync(tools.path('src'));
  writeFileSync(tools.path('.env'), 'x');
  writeFileSync(tools.path('big'), Buffer.alloc(12_345));
  symlinkSync('src', tools.path('link'));
  expect((await tools.call('ls', {})).text).toBe('.env  1 B\nbig  12.3 kB\nlink -> src\nsrc/');
  expect((await tools.call('ls', { path: 'src' })).text).toBe('(the folder is empty)');
  expect((await tools.call('ls', { path: 'big' })).text).toBe('"big" cannot be listed: it is a file; use read.');
  expect((await tools.call('ls', { path: 'scr' })).text).toBe('"scr" does not exist. Did you mean "src"?');
  expect((await tools.call('ls', { path: '..' })).isError).toBe(true);
});

function project(tools: ToolFixture): void {
  mkdirSync(tools.path('src/deep'), { recursive: true });
  mkdirSync(tools.path('node_modules/x'), { recursive: true });
  mkdirSync(tools.path('dist'));
  mkdirSync(tools.path('.git'));
  writeFileSync(tools.path('.gitignore'), 'dist/\n*.log\n');
  writeFileSync(tools.path('src/a.ts'), 'export const needle = 1;\nsecond line\nthird needle\n');
  writeFileSync(tools.path('src/deep/b.ts'), 'nothing\nNEEDLE here\n');
  writeFileSync(tools.path('src/c.md'), 'needle in markdown\n');
  writeFileSync(tools.path('node_modules/x/i.ts'), 'needle\n');
  writeFileSync(tools.path('dist/o.ts'), 'needle\n');
  writeFileSync(tools.path('run.log'), 'needle\n');
  writeFileSync(tools.path('.git/config'), 'needle\n');
  writeFileSync(tools.path('a.bin'), Buffer.from('needle\0'));
}

test('glob finds by path, without .git, node_modules and ignored files unless asked', async () => {
  await using tools = new ToolFixture();
  project(tools);
  expect((await tools.call('glob', { pattern: '**/*.ts' })).text).toBe('src/a.ts\nsrc/deep/b.ts');
  expect((await tools.call('glob', { pattern: '*.ts', path: 'src' })).text).toBe('src/a.ts');
  expect((await tools.call('glob', { pattern: '**/*.ts', include_ignored: true })).text).toBe(
    'dist/o.ts\nnode_modules/x/i.ts\nsrc/a.ts\nsrc/deep/b.ts',
  );
  expect((await tools.call('glob', { pattern: '**/*.ts', path: 'dist' })).text).toBe('dist/o.ts');
  expect((await tools.call('glob', { pattern: '*.ts' })).text).toBe(
    'No file matches "*.ts" (for any folder use **/*.ts).',
  );
});

test('glob of more files than it shows says so', async () => {
  await using tools = new ToolFixture();
  for (let n = 0; n < 1005; n += 1) writeFileSync(tools.path(`f${n}.txt`), '');
  const { text } = await tools.call('glob', { pattern: '*.txt' });
  expect(text.split('\n')).toHaveLength(1001);
  expect(text).toContain('[only the first 1000 files');
});

test('grep finds lines with path and number, by glob, case, context and output form', async () => {
  await using tools = new ToolFixture();
  project(tools);
  const text = async (args: Record<string, unknown>): Promise<string> => (await tools.call('grep', args)).text;
  expect(await text({ pattern: 'needle' })).toBe(
    'src/a.ts:1:export const needle = 1;\nsrc/a.ts:3:third needle\nsrc/c.md:1:needle in markdown\n[1 binary files skipped]',
  );
  expect(await text({ pattern: 'needle', glob: '*.md' })).toBe('src/c.md:1:needle in markdown');
  expect(await text({ pattern: '(?i)^needle', path: 'src/deep' })).toBe('src/deep/b.ts:2:NEEDLE here');
  expect(await text({ pattern: 'second', path: 'src/a.ts', context: 1 })).toBe(
    'src/a.ts-1-export const needle = 1;\nsrc/a.ts:2:second line\nsrc/a.ts-3-third needle',
  );
  expect(await text({ pattern: 'needle', ignore_case: true, output: 'count', path: 'src' })).toBe(
    'src/a.ts: 2\nsrc/c.md: 1\nsrc/deep/b.ts: 1',
  );
  expect(await text({ pattern: 'needle', output: 'files', limit: 1, path: 'src' })).toBe(
    'src/a.ts\n[only the first 1 are shown; make the search narrower]',
  );
  expect(await text({ pattern: 'needle', limit: 1, path: 'src' })).toContain('only the first 1 are shown');
  mkdirSync(tools.path('nothing-in-it'));
  expect(await text({ pattern: 'needle', path: 'nothing-in-it' })).toBe(
    '[no line matches needle (ignored files were not searched)]',
  );
  expect(await text({ pattern: 'absent' })).toContain('no line matches absent (ignored files were not searched)');
});

test('grep answers a wrong or a catastrophic expression with an error, in bounded time', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('a.txt'), `${'a'.repeat(60)}b\n`);
  expect((await tools.call('grep', { pattern: '(a' })).text).toContain('no valid regular expression');
  const slow = await tools.call('grep', { pattern: '^(a+)+$' });
  expect(slow).toMatchObject({ isError: true, text: expect.stringContaining('takes too long on "a.txt"') as string });
});

test('grep through 50 MB and long lines stays bounded, and numbers lines right across pieces of a file', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('big.txt'), `${'filler line of text\n'.repeat(2_500_000)}needle at the end`);
  writeFileSync(tools.path('long.txt'), `${'x'.repeat(1_000_000)}\nneedle${'y'.repeat(10_000)}\n`);
  const before = process.memoryUsage().rss;
  const { text } = await tools.call('grep', { pattern: 'needle' });
  expect(text).toContain('big.txt:2500001:needle at the end');
  expect(text).toMatch(/long\.txt:2:needley+… \[10006 characters\]/);
  expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
});

test('A3: grep and glob do not follow links out of the workspace', async () => {
  await using tools = new ToolFixture();
  mkdirSync(join(tools.outer, 'other'));
  writeFileSync(join(tools.outer, 'other/secret.txt'), 'needle');
  symlinkSync('../other', tools.path('folder'));
  symlinkSync('../other/secret.txt', tools.path('file.txt'));
  expect((await tools.call('grep', { pattern: 'needle' })).text).toContain('no line matches');
  expect((await tools.call('glob', { pattern: '**/secret.txt' })).text).toContain('No file matches');
  expect((await tools.call('grep', { pattern: 'needle', path: 'folder' })).isError).toBe(true);
});

test('a stopped run ends a search at once', async () => {
  await using tools = new ToolFixture();
  for (let folder = 0; folder < 300; folder += 1) {
    mkdirSync(tools.path(`d${folder}`));
    for (let n = 0; n < 10; n += 1) writeFileSync(tools.path(`d${folder}/f${n}.txt`), 'text\n'.repeat(2000));
  }
  const searching = tools.call('grep', { pattern: 'needle' });
  tools.stop.abort();
  expect((await searching).text).toContain('stopped');
});

test('C3: a read that was stopped says so, and nothing of the length of the file', async () => {
  await using tools = new ToolFixture();
  writeFileSync(tools.path('tax.js'), 'line\n'.repeat(3));
  const reading = tools.call('read', { path: 'tax.js' });
  tools.stop.abort();
  const { isError, text } = await reading;
  expect(isError).toBe(true);
  expect(text).toContain('Reading "tax.js" was stopped');
  expect(text).not.toContain('past its end');
});
