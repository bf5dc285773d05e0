import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter';
import { controlProblems, readList, writeList } from './control-list.ts';
import { clearRecords, readRecords } from './control-record.ts';

const HOW = 'Add a step that uses it to a test. ESPALIER_CONTROLS=write npm run e2e writes the list anew.';

/** After a run of all tests: fails when a control of the app has no test that uses it, or the list is not true any more. */
export default class ControlsReporter implements Reporter {
  #whole = false;

  onBegin(config: FullConfig, suite: Suite): void {
    const run = new Set(suite.allTests().map(({ location }) => basename(location.file)));
    const all = readdirSync(config.rootDir).filter((name) => name.endsWith('.spec.ts'));
    const everyTest = config.grepInvert === null && String(config.grep) === '/.*/';
    this.#whole = everyTest && config.shard === null && all.every((name) => run.has(name));
    if (this.#whole) clearRecords();
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    await Promise.resolve();
    if (!this.#whole || status !== 'passed') return undefined;
    if (process.env['ESPALIER_CONTROLS'] === 'write') {
      writeList(true);
      return undefined;
    }
    const list = readList();
    // A list that was gathered file by file knows too little to be held to.
    const problems = list.whole ? controlProblems(readRecords(), list) : [];
    if (problems.length === 0) return undefined;
    console.log(`\nControls of the app (e2e/controls/controls.json):\n  ${problems.join('\n  ')}\n${HOW}\n`);
    return { status: 'failed' };
  }
}
