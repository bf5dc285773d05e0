import { spawn, type IPty } from '@lydell/node-pty';

/** A program on a pseudo terminal of its own. */
export interface Pty {
  readonly pid: number;
  onData(listener: (text: string) => void): void;
  onExit(listener: (code: number) => void): void;
  write(text: string): void;
  resize(cols: number, rows: number): void;
}

export interface PtyOptions {
  readonly shell: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

/** Starts a program on a pseudo terminal; a session of its own. Throws when the system has none to give. This file alone loads the native package. */
export function openPty({ shell, args, cwd, env, cols, rows }: PtyOptions): Pty {
  const pty: IPty = spawn(shell, [...args], { name: 'xterm-256color', cwd, env: { ...env }, cols, rows });
  return {
    pid: pty.pid,
    onData: (listener) => void pty.onData(listener),
    onExit: (listener) => void pty.onExit(({ exitCode }) => listener(exitCode)),
    write: (text) => {
      pty.write(text);
    },
    resize: (width, height) => {
      pty.resize(width, height);
    },
  };
}
