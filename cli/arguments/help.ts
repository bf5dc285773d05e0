import type { CommandSpec } from './command-spec.ts';
import { SETTING_KEYS } from './setting-keys.ts';

/** The help of one command. */
export function commandHelp(spec: CommandSpec): string {
  const options = Object.entries(spec.options).map(([name, { value, help, choices }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    choices === undefined ? help : `${help} (${choices.join(', ')})`,
  ]);
  options.push(['-h, --help', 'print this']);
  const usage = ['espalier', spec.name, spec.usage, '[options]'].filter((part) => part !== '').join(' ');
  const parts = [['Options:', columns(options)], spec.more?.() ?? [], spec.status ?? STATUS];
  const text = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `Usage: ${usage}\n\n${capital(spec.summary)}.\n\n${text.join('\n\n')}\n`;
}

/** Those of most commands. */
const STATUS = ['Exit status: 0 done; 1 refused, or not found; 2 usage; 3 the machine.'];

/** The help of the program, or of the commands that begin with one word. */
export function programHelp(commands: readonly CommandSpec[], group: string | null): string {
  const shown = commands.filter(
    ({ name, hidden }) => hidden !== true && (group === null || name.startsWith(`${group} `)),
  );
  const rows = shown.map(({ name, usage, summary }) => [`${name} ${usage}`.trim(), summary]);
  const end =
    group === null
      ? [
          '',
          'espalier COMMAND --help tells more; espalier --version prints the version.',
          'ESPALIER_HOME names the data folder, ESPALIER_LOG the log level (debug, info, warn, error).',
          '',
          'Exit status: 0 done; 1 refused, not found, or not all well; 2 usage, nothing was started; 3 the machine;',
          '130 Ctrl-C.',
        ]
      : moreOf(shown);
  return [`Usage: espalier ${group === null ? '' : `${group} `}COMMAND`, '', columns(rows), ...end, ''].join('\n');
}

/** What the commands of a group have to add, once. */
function moreOf(shown: readonly CommandSpec[]): string[] {
  const lines = shown.find(({ more }) => more !== undefined)?.more?.() ?? [];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** The keys of the settings as help shows them. */
export function settingsHelp(): string[] {
  const rows = SETTING_KEYS.map(([key, fallback, help]) => [key, fallback === '' ? help : `${help} (${fallback})`]);
  return ['Keys, with their defaults (VALUE null takes one back to it):', ...columns(rows).split('\n')];
}

/** Two columns; a long first one pushes its second to the next line. */
function columns(rows: readonly (readonly string[])[]): string {
  const width = 28;
  return rows
    .map(([left = '', right = '']) =>
      left.length <= width ? `  ${left.padEnd(width)}  ${right}` : `  ${left}\n  ${''.padEnd(width)}  ${right}`,
    )
    .join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
