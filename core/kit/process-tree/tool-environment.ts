/** The environment variable that marks every process of a run; its value is the run id and nothing else (C4, K5). */
export const RUN_MARKER = 'ESPALIER_RUN';

/** What of `GIT_*` says who somebody is or how to reach a server; all else redirects git to another repository or configuration. */
const GIT_KEPT =
  /^GIT_(AUTHOR|COMMITTER)_|^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|TERMINAL_PROMPT|EDITOR|SEQUENCE_EDITOR|PAGER)$/;

/** Options of {@link toolEnvironment}. */
export interface ToolEnvironmentOptions {
  /** Becomes the marker. */
  readonly runId: string;
  /** Names that hold keys (every `apiKeyEnv`); compared without case. */
  readonly drop?: Iterable<string>;
}

/**
 * The environment of tools and programs (K5): the base without our own variables, without keys, without overrides of git and
 * without what would turn an Electron program into Node; with the run's marker.
 */
export function toolEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  options: ToolEnvironmentOptions,
): Record<string, string> {
  const dropped = new Set([...(options.drop ?? [])].map((name) => name.toUpperCase()));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    const upper = name.toUpperCase();
    if (value === undefined || dropped.has(upper)) continue;
    if (upper.startsWith('ESPALIER_') || upper === 'ELECTRON_RUN_AS_NODE') continue;
    if (upper.startsWith('GIT_') && !GIT_KEPT.test(upper)) continue;
    environment[name] = value;
  }
  environment[RUN_MARKER] = options.runId;
  return environment;
}
