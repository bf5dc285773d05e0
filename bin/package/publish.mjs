/**
 * What electron-builder is told of publishing: nothing but what the environment says. `ESPALIER_PUBLISH_URL` is the folder on the web where the app will
 * look for newer packages; it is written into the app. Packages are put there by who makes them, never by this.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {string[]} its arguments
 */
export function publishOptions(environment) {
  const url = environment['ESPALIER_PUBLISH_URL'];
  if (!url) return ['--publish=never'];
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`ESPALIER_PUBLISH_URL is no https address: ${url}`);
  return ['-c.publish.provider=generic', `-c.publish.url=${url}`, '--publish=never'];
}
