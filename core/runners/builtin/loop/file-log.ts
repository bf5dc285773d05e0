/** The files of the workspace that a run has read and written, each once, in the order of the first time. */
export class FileLog {
  readonly #read = new Set<string>();
  readonly #written = new Set<string>();

  /** `path` is relative to the workspace. */
  add(kind: 'read' | 'write', path: string): void {
    (kind === 'read' ? this.#read : this.#written).add(path);
  }

  get read(): string[] {
    return [...this.#read];
  }

  get written(): string[] {
    return [...this.#written];
  }
}
