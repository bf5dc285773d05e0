/** What *Copy Diagnostics* says. No task, path of a project, transcript or key is a part of it. */
export interface DiagnosticFacts {
  readonly version: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly arch: string;
  readonly osVersion: string;
  readonly home: string;
  readonly safeMode: boolean;
  readonly keychain: string;
  readonly app: { readonly at_work: number; readonly places: number; readonly storage_banner: string | null };
  /** The core is in this process. */
  readonly isOurs: boolean;
  readonly counts: Readonly<Record<string, number>>;
  /** The end of the log. */
  readonly log: string;
}

const LOG_LINES = 60;

/** The text for the clipboard; the person's own folder is `~`. Its caller masks known secrets. */
export function diagnosticsText(facts: DiagnosticFacts, userHome: string): string {
  const { app, isOurs, counts, versions } = facts;
  const lines = [
    `Espalier ${facts.version}${facts.safeMode ? ' (safe mode)' : ''}`,
    `System: ${facts.platform} ${facts.arch}, ${facts.osVersion}`,
    `Runtime: ${['electron', 'chrome', 'node'].flatMap((name) => (versions[name] === undefined ? [] : [`${name} ${versions[name]}`])).join(', ')}`,
    `Data folder: ${facts.home}`,
    `Keychain: ${facts.keychain}`,
    `Core: ${isOurs ? '' : 'hosted by another process, '}${app.at_work} of ${app.places} places at work`,
    ...(app.storage_banner ? [`Storage: ${app.storage_banner}`] : []),
    ...Object.entries(counts).map(([name, count]) => `${name}: ${count}`),
    '',
    `Last lines of the log:`,
    ...facts.log.trimEnd().split('\n').slice(-LOG_LINES),
  ];
  const text = lines.join('\n');
  return `${userHome === '' ? text : text.replaceAll(userHome, '~')}\n`;
}
