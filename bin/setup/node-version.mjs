/** better-sqlite3's binary crashes below this; so nothing of ours may start there. */
export const MINIMUM = { major: 22, minor: 12 };

/**
 * Whether a Node of this version can run Espalier.
 * @param {string} version as in `process.versions.node`
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor);
}
