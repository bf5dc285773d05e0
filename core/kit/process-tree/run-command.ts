/**
 * Runs a system tool (`ps`, `lsof`, `taskkill`) and gives its standard output; injected, so that the platforms' parsing is
 * tested everywhere. Rejects only if the tool cannot be run at all; a status other than 0 gives what was printed.
 */
export type RunCommand = (command: string, args: readonly string[]) => Promise<string>;

/** The real one: C locale and UTC, so that what it says of a process is the same wherever its user travels; 10 s at most. */
export const runSystemCommand: RunCommand = (command, args) =>
  new Promise((resolve, reject) => {
    const options = {
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 10_000,
      windowsHide: true,
    };
    // Loaded when it is needed: on Linux processes are looked at without any tool.
    const { execFile } = process.getBuiltinModule('node:child_process');
    execFile(command, args, options, (error, stdout) => {
      if (error !== null && typeof error.code === 'string') reject(error);
      else resolve(stdout);
    });
  });
