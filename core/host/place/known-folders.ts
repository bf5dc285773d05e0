import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Below the home folder, where installers put programs of people; also those that do not exist yet, so that what is installed meanwhile is found. */
const BELOW_HOME = [
  '.local/bin',
  'bin',
  '.npm-global/bin',
  '.bun/bin',
  '.deno/bin',
  '.cargo/bin',
  'go/bin',
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.local/share/pnpm',
  '.opencode/bin',
  '.claude/local',
] as const;

const MAC = ['Library/pnpm'] as const;

/** Folders of the system that a bare environment leaves out. */
const OF_SYSTEM: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin'],
  linux: ['/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin', '/snap/bin'],
};

/** Folders in which programs are found although no PATH names them (B03), the likeliest first. Looked up anew each time. */
export function knownFolders(environment: Environment, platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') return windowsFolders(environment);
  const home = environment['HOME'];
  const system = OF_SYSTEM[platform] ?? ['/usr/local/bin'];
  if (home === undefined || !isAbsolute(home)) return system;
  const below = platform === 'darwin' ? [...BELOW_HOME, ...MAC] : BELOW_HOME;
  return [...below.map((folder) => join(home, folder)), ...nodeVersions(home), ...system];
}

function windowsFolders({ APPDATA, LOCALAPPDATA, USERPROFILE }: Environment): readonly string[] {
  return [
    ...(APPDATA === undefined ? [] : [join(APPDATA, 'npm')]),
    ...(LOCALAPPDATA === undefined ? [] : [join(LOCALAPPDATA, 'pnpm')]),
    ...(USERPROFILE === undefined ? [] : [join(USERPROFILE, '.local', 'bin'), join(USERPROFILE, '.bun', 'bin')]),
  ];
}

/** Of version managers that keep one folder a version, the newest first. */
function nodeVersions(home: string): readonly string[] {
  const nvm = join(home, '.nvm', 'versions', 'node');
  const fnm = join(home, '.local', 'share', 'fnm', 'node-versions');
  return [
    ...versionsIn(nvm).map((version) => join(nvm, version, 'bin')),
    ...versionsIn(fnm).map((version) => join(fnm, version, 'installation', 'bin')),
  ];
}

function versionsIn(folder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /^v?\d/.test(name));
  } catch {
    return []; // Most people have no such folder.
  }
  // Only for what needs an order: the first collator of a process takes several milliseconds of every start.
  if (names.length < 2) return names;
  const order = new Intl.Collator('en', { numeric: true });
  return names.sort((a, b) => order.compare(b, a));
}
