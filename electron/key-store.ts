import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { KeyRequest, type KeyAnswer } from '../core/protocol/desktop.ts';
import { KeyVariable } from '../core/protocol/providers.ts';

const Stored = z.record(KeyVariable, z.string());

/** Gives a core a key, or with null takes it away. `outside`: what the variable is without it. */
export type GiveKey = (name: string, value: string | null, outside: string | undefined) => void;

type Cipher = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'> & {
  readonly getSelectedStorageBackend?: SafeStorage['getSelectedStorageBackend'];
};

/** Where the system keeps no secret, Electron would write with a password that everybody knows. */
const NO_SECRET = new Set(['basic_text', 'unknown']);

/**
 * Keys of providers by the name of their environment variable, encrypted with the system's keychain. They are given to the core with its environment, and
 * nothing else writes them down. Without a keychain nothing is kept, and said so.
 */
export class KeyStore {
  readonly #file: string;
  readonly #cipher: Cipher;
  readonly #platform: NodeJS.Platform;
  readonly #environment: Record<string, string | undefined>;
  /** Variables that were there without us, to be put back. */
  readonly #before = new Map<string, string | undefined>();
  #giveCore: GiveKey | null = null;
  #isFar = false;

  /** `environment` is the core's own; it is changed in place. */
  constructor(
    file: string,
    cipher: Cipher,
    platform: NodeJS.Platform,
    environment: Record<string, string | undefined>,
  ) {
    this.#file = file;
    this.#cipher = cipher;
    this.#platform = platform;
    this.#environment = environment;
  }

  /** Gives the core what is kept. */
  load(): void {
    if (this.state().available) for (const [name, text] of Object.entries(this.#read())) this.#give(name, text);
  }

  /**
   * Has a running core told of the keys that it was started with, and of each that is kept or forgotten from now on. Null: that of another process, which has
   * its own environment; who asks is told so.
   */
  tellCore(give: GiveKey | null): void {
    this.#giveCore = give;
    this.#isFar = give === null;
    if (give === null) return;
    for (const [name, outside] of this.#before) give(name, this.#environment[name] ?? null, outside);
  }

  /** Whether there is a keychain, in words. */
  state(): { readonly available: boolean; readonly words: string } {
    const backend = this.#platform === 'linux' ? (this.#cipher.getSelectedStorageBackend?.() ?? 'unknown') : null;
    if (!this.#cipher.isEncryptionAvailable() || (backend !== null && NO_SECRET.has(backend))) {
      const words =
        this.#platform === 'linux'
          ? 'No keychain (GNOME Keyring or KWallet) is open. Keys are not kept; set them as environment variables.'
          : 'The system’s keychain does not answer. Keys are not kept; set them as environment variables.';
      return { available: false, words };
    }
    const kept = `Kept in the system’s keychain${backend === null ? '' : ` (${backend})`}.`;
    const far = ' The core runs in another process now, which takes keys from its own environment.';
    return { available: true, words: this.#isFar ? kept + far : kept };
  }

  /** Does what the page asks. Never answers a value. */
  answer(request: unknown): KeyAnswer {
    const asked = KeyRequest.safeParse(request).data;
    if (asked === undefined) return this.#say('That is not a key.');
    if (asked.type === 'list') return this.#say(null);
    if (!this.state().available) return this.#say(this.state().words);
    const stored = this.#read();
    try {
      if (asked.type === 'keep') {
        const text = this.#cipher.encryptString(asked.value).toString('base64');
        this.#write({ ...stored, [asked.name]: text });
        this.#give(asked.name, text);
      } else {
        const { [asked.name]: _, ...others } = stored;
        this.#write(others);
        if (this.#before.has(asked.name)) this.#environment[asked.name] = this.#before.get(asked.name);
        this.#before.delete(asked.name);
        this.#giveCore?.(asked.name, null, undefined);
      }
      return this.#say(null);
    } catch {
      return this.#say('The key could not be kept: the keychain or the disk refused.');
    }
  }

  #say(error: string | null): KeyAnswer {
    const { available, words } = this.state();
    return { keychain: available, detail: words, names: Object.keys(this.#read()).sort(), error };
  }

  #give(name: string, text: string): void {
    try {
      const value = this.#cipher.decryptString(Buffer.from(text, 'base64'));
      if (!this.#before.has(name)) this.#before.set(name, this.#environment[name]);
      this.#environment[name] = value;
      this.#giveCore?.(name, value, this.#before.get(name));
    } catch {
      // Kept by another user or keychain: as if it were not there; the provider says that its key is missing.
    }
  }

  #read(): Readonly<Record<string, string>> {
    try {
      return Stored.safeParse(JSON.parse(readFileSync(this.#file, 'utf8'))).data ?? {};
    } catch {
      return {};
    }
  }

  #write(stored: Readonly<Record<string, string>>): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = `${this.#file}.tmp`;
    writeFileSync(temporary, JSON.stringify(stored), { mode: 0o600 });
    renameSync(temporary, this.#file);
  }
}
