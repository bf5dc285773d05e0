import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, type CoreLab } from './core-lab.ts';
import { until } from './process-trees.ts';

/** A git that waits, once, before the call whose arguments contain `at`; its own process id is then in `held`. */
export class SlowGit {
  readonly environment: Record<string, string>;
  readonly #held: string;
  readonly #hold: string;

  constructor(lab: CoreLab, at: string) {
    const bin = join(lab.git.root, 'bin');
    mkdirSync(bin);
    this.#hold = join(bin, 'hold');
    this.#held = join(bin, 'held');
    const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh
case "$*" in *"${at}"*) if [ -f '${this.#hold}' ]; then
  rm '${this.#hold}'; touch '${this.#hold}ing'; echo $$ > '${this.#held}.tmp'; mv '${this.#held}.tmp' '${this.#held}'
  while [ -f '${this.#hold}ing' ]; do sleep 0.02; done
fi;; esac
exec '${real}' "$@"
`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    writeFileSync(this.#hold, '');
    this.environment = { ...lab.git.environment, PATH: `${bin}:${lab.git.environment['PATH'] ?? ''}` };
  }

  reached(): Promise<void> {
    return until('the held call of git', () => existsSync(this.#held), 60_000);
  }

  /** Ends the held call before it does anything. */
  async drop(): Promise<void> {
    const pid = Number(readFileSync(this.#held, 'utf8'));
    process.kill(pid, 'SIGKILL');
    await until('the end of the held call', async () => !(await isAlive(pid)));
  }

  /** Lets the held call go on, and waits for its end. */
  async release(): Promise<void> {
    const pid = Number(readFileSync(this.#held, 'utf8'));
    rmSync(`${this.#hold}ing`);
    await until('the end of the held call', async () => !(await isAlive(pid)));
  }
}
