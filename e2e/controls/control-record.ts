import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BrowserContext, TestInfo } from '@playwright/test';
import { controlKey } from './control-names.ts';
import { BINDING, recordInPage, type SeenControl } from './page-recorder.ts';

/** Kept between runs of single files, so that the list can be made without running everything at once. */
const FOLDER = join(import.meta.dirname, '../../.cache/e2e-controls');

/** What one test saw of controls. */
export interface ControlRecord {
  readonly file: string;
  readonly test: string;
  readonly seen: readonly string[];
  readonly used: readonly string[];
}

/** Notes the controls of a test's pages. */
export class ControlSink {
  readonly #seen = new Set<string>();
  readonly #used = new Set<string>();
  readonly #contexts: BrowserContext[] = [];

  /** Watches the pages of a context: those that it opens, and those that are open already. */
  async watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding(BINDING, (_source, text: string) => {
      const control = JSON.parse(text) as SeenControl;
      const key = controlKey(control);
      if (key === null) return;
      this.#seen.add(key);
      if (control.used) this.#used.add(key);
    });
    await context.addInitScript(recordInPage, BINDING);
    await Promise.all(context.pages().map((page) => page.evaluate(recordInPage, BINDING)));
    this.#contexts.push(context);
  }

  /** Sees also what has come just before the end of a test; call it while the pages are open. */
  async lookOnceMore(): Promise<void> {
    const pages = this.#contexts.flatMap((context) => context.pages());
    // A page that a test leaves broken or blocked tells nothing more; what that means the test itself says.
    const looks = pages.map((page) =>
      page.evaluate((name) => void dispatchEvent(new Event(name)), BINDING).catch(() => undefined),
    );
    await Promise.all(looks);
  }

  save(info: TestInfo): void {
    // Pictures use controls to get somewhere; they are no test of them.
    if (info.file.includes('shots')) return;
    const record: ControlRecord = {
      file: basename(info.file),
      test: info.title,
      seen: [...this.#seen].sort(),
      used: [...this.#used].sort(),
    };
    const name = createHash('sha256').update(`${record.file} ${record.test}`).digest('hex').slice(0, 16);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(record)}\n`);
  }
}

/** Forgets all records: a whole run begins. */
export function clearRecords(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** The records of all tests that were run here. */
export function readRecords(): readonly ControlRecord[] {
  mkdirSync(FOLDER, { recursive: true });
  return readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as ControlRecord);
}
