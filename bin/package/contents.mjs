import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a packaged app has besides Electron itself.
 *
 * @typedef {object} PackedFile
 * @property {string} path below the app's root, with `/`
 * @property {number} size bytes
 * @property {boolean} unpacked a real file beside the archive, which other processes can read
 */

/** Our own code and assets may have so many bytes. */
export const MAX_PAYLOAD = 15 * 1024 * 1024;

/** What must be there; `unpacked` is what other processes read or the system loads, and neither can read into the archive. */
const NEEDED = [
  { path: /^package\.json$/, unpacked: true },
  { path: /^dist\/electron\/main\.cjs$/, unpacked: false },
  { path: /^dist\/electron\/preload\.cjs$/, unpacked: false },
  { path: /^dist\/worker\/child\.js$/, unpacked: true },
  { path: /^dist\/worker\/child-program\.js$/, unpacked: true },
  { path: /^dist\/mcp\/bridge\.js$/, unpacked: true },
  { path: /^dist\/registry\/thread\.js$/, unpacked: true },
  { path: /^dist\/renderer\/index\.html$/, unpacked: true },
  { path: /^migrations\/app\/\d{4}-[\w-]+\.sql$/, unpacked: true },
  { path: /^migrations\/project\/\d{4}-[\w-]+\.sql$/, unpacked: true },
  { path: /^assets\/demo\/batch\.yaml$/, unpacked: true },
  { path: /^assets\/tray\/idle\.png$/, unpacked: true },
  { path: /^node_modules\/better-sqlite3\/lib\/index\.js$/, unpacked: true },
  { path: /^node_modules\/@lydell\/node-pty\/index\.js$/, unpacked: true },
];

/** Only what cannot be bundled stays a package. */
const PACKAGES = /^node_modules\/(?:better-sqlite3|@lydell\/node-pty|@lydell\/node-pty-[a-z0-9]+-[a-z0-9]+)\//;
const NATIVE = /\.(?:node|dll|exe|so|dylib)(?:\.\d+)*$|\/(?:spawn-helper|rg|node)$/;
const NEVER =
  /\.map$|^(?:dist|migrations)\/.*\.test\.[a-z]+$|(?:^|\/)(?:\.env|\.npmrc|settings\.json)$|^(?:core|renderer|e2e|bench|docs|cli)\//;

/**
 * What is wrong with the contents of a package for a system; none when it is as it must be.
 *
 * @param {readonly PackedFile[]} files
 * @param {string} target `<platform>-<arch>` as Node names them
 * @returns {string[]}
 */
export function wrongContents(files, target) {
  const missing = NEEDED.filter(
    ({ path, unpacked }) => !files.some((file) => path.test(file.path) && (file.unpacked || !unpacked)),
  );
  const isOwn = (/** @type {PackedFile} */ { path }) =>
    path.includes(`node-pty-${target}/`) || path.includes(`/prebuilds/${target}.`);
  const native = files.filter(({ path }) => NATIVE.test(path));
  const payload = files.reduce((sum, { size }) => sum + size, 0);
  return [
    ...missing.map(({ path, unpacked }) => `missing${unpacked ? ' beside the archive' : ''}: ${path.source}`),
    ...files
      .filter(({ path }) => NEVER.test(path) || (path.startsWith('node_modules/') && !PACKAGES.test(path)))
      .map(({ path }) => `does not belong into a package: ${path}`),
    ...native.filter((file) => !isOwn(file)).map(({ path }) => `made for another system: ${path}`),
    ...native
      .filter((file) => isOwn(file) && !file.unpacked)
      .map(({ path }) => `the system cannot load it from the archive: ${path}`),
    ...['better-sqlite3/', `node-pty-${target}/`]
      .filter((name) => !native.some((file) => isOwn(file) && file.path.includes(name)))
      .map((name) => `no binary for ${target} of ${name}`),
    ...(payload > MAX_PAYLOAD ? [`${payload} bytes of our own, more than ${MAX_PAYLOAD}`] : []),
  ];
}

/**
 * Reads what a packaged app has, from its archive's table of contents and the folder beside it.
 *
 * @param {string} resources the app's folder of resources
 * @returns {PackedFile[]}
 */
export function packedFiles(resources) {
  const archive = join(resources, 'app.asar');
  const unpacked = `${archive}.unpacked`;
  const beside = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: slashed(path.slice(unpacked.length + 1)), size: statSync(path).size, unpacked: true }));
  return [...listed(readHeader(archive), ''), ...beside];
}

/** @typedef {{ files?: Record<string, AsarEntry>, size?: number, unpacked?: boolean }} AsarEntry */

/**
 * @param {AsarEntry} entry
 * @param {string} path
 * @returns {PackedFile[]}
 */
function listed(entry, path) {
  if (entry.files === undefined)
    return entry.unpacked === true ? [] : [{ path, size: entry.size ?? 0, unpacked: false }];
  return Object.entries(entry.files).flatMap(([name, inner]) => listed(inner, path === '' ? name : `${path}/${name}`));
}

/**
 * An archive begins with four lengths, then its table of contents as JSON.
 * @param {string} archive
 * @returns {AsarEntry}
 */
function readHeader(archive) {
  const file = openSync(archive, 'r');
  try {
    const lengths = Buffer.alloc(16);
    readSync(file, lengths, 0, 16, 0);
    const text = Buffer.alloc(lengths.readUInt32LE(12));
    readSync(file, text, 0, text.length, 16);
    return JSON.parse(text.toString('utf8'));
  } finally {
    closeSync(file);
  }
}

/** Before the fuses in Electron's binary. */
export const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Version 1 of the fuses, in their order. */
const FUSES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
];

/**
 * The fuses of a binary, by the names of `electron-builder.yml`.
 *
 * @param {string} binary
 * @returns {Record<string, boolean>}
 */
export function readFuses(binary) {
  const bytes = readFileSync(binary);
  const at = bytes.indexOf(FUSE_SENTINEL);
  if (at < 0) throw new Error(`${binary} has no fuses`);
  const wire = bytes.subarray(at + FUSE_SENTINEL.length + 2);
  return Object.fromEntries(FUSES.map((name, index) => [name, String.fromCharCode(wire[index] ?? 0) === '1']));
}

/** @param {string} path */
const slashed = (path) => path.replaceAll('\\', '/');
