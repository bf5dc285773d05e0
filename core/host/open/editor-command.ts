import { err, ok, type Result } from '../../kit/result.ts';

/** A program with its arguments. */
export interface EditorCommand {
  /** What people call it. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** What is to be opened. */
export interface EditorTarget {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
}

/** What is known of the machine. */
export interface EditorWorld {
  /** The setting `editor`. */
  readonly setting: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of a program on the PATH, or null. */
  readonly find: (program: string) => string | null;
}

const COLON: readonly string[] = ['{path}:{line}'];
const GOTO: readonly string[] = ['--goto', '{path}:{line}'];
const JETBRAINS: readonly string[] = ['--line', '{line}', '{path}'];
const PLUS: readonly string[] = ['+{line}', '{path}'];

/** Editors with a window of their own, those that people use most first. One that needs a terminal is not among them. */
const EDITORS: Readonly<Record<string, { readonly name: string; readonly args: readonly string[] }>> = {
  code: { name: 'Visual Studio Code', args: GOTO },
  cursor: { name: 'Cursor', args: GOTO },
  zed: { name: 'Zed', args: COLON },
  zeditor: { name: 'Zed', args: COLON },
  windsurf: { name: 'Windsurf', args: GOTO },
  codium: { name: 'VSCodium', args: GOTO },
  'code-insiders': { name: 'Visual Studio Code Insiders', args: GOTO },
  subl: { name: 'Sublime Text', args: COLON },
  idea: { name: 'IntelliJ IDEA', args: JETBRAINS },
  webstorm: { name: 'WebStorm', args: JETBRAINS },
  pycharm: { name: 'PyCharm', args: JETBRAINS },
  goland: { name: 'GoLand', args: JETBRAINS },
  rustrover: { name: 'RustRover', args: JETBRAINS },
  clion: { name: 'CLion', args: JETBRAINS },
  phpstorm: { name: 'PhpStorm', args: JETBRAINS },
  rubymine: { name: 'RubyMine', args: JETBRAINS },
  kate: { name: 'Kate', args: JETBRAINS },
  mate: { name: 'TextMate', args: JETBRAINS },
  bbedit: { name: 'BBEdit', args: PLUS },
  gedit: { name: 'gedit', args: PLUS },
  gvim: { name: 'gVim', args: PLUS },
};

const baseName = (program: string): string => program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '');

/** The template with path and line put in; an argument is one argument, whatever the path holds. */
function filled(template: readonly string[], { path, line }: EditorTarget): string[] {
  return template.map((part) =>
    part.replaceAll(/\{(path|line)\}/g, (_, key) => (key === 'path' ? path : String(line))),
  );
}

/**
 * How a file is opened: by the setting, by `$VISUAL` or `$EDITOR` if that is an editor with a window, else by the first known one on the PATH. An
 * error is for people: it says what was looked for and what to do.
 */
export function editorCommand(target: EditorTarget, world: EditorWorld): Result<EditorCommand, string> {
  const [program, ...template] = world.setting ?? [];
  if (program !== undefined) return bySetting(program, template, target, world);
  const wished = wishedEditors(world.environment);
  for (const wish of [...wished, ...Object.keys(EDITORS)]) {
    const known = EDITORS[baseName(wish)];
    const found = known === undefined ? null : world.find(wish);
    if (known !== undefined && found !== null) {
      return ok({ name: known.name, program: found, args: filled(known.args, target) });
    }
  }
  const terminal = wished.find((wish) => EDITORS[baseName(wish)] === undefined);
  const aside = terminal === undefined ? '' : ` (${baseName(terminal)} runs in a terminal: open one here for it.)`;
  return err(
    `No editor with a window was found on the PATH: code, cursor, zed, subl, idea and others were looked for.${aside} ` +
      'Set "editor" in settings.json, for example ["code", "--goto", "{path}:{line}"].',
  );
}

function bySetting(
  program: string,
  template: readonly string[],
  target: EditorTarget,
  world: EditorWorld,
): Result<EditorCommand, string> {
  const found = world.find(program);
  if (found === null)
    return err(`The editor of the settings, ${program}, was not found. Change "editor" in settings.json.`);
  const args = filled(template, target);
  // A template that names no path would open nothing of ours.
  return ok({
    name: program,
    program: found,
    args: /\{path\}/.test(template.join(' ')) ? args : [...args, target.path],
  });
}

/** Programs of `$VISUAL` and `$EDITOR`, without their arguments. */
function wishedEditors(environment: EditorWorld['environment']): string[] {
  return [environment['VISUAL'], environment['EDITOR']].flatMap((value) => value?.trim().split(/\s+/)[0] || []);
}
