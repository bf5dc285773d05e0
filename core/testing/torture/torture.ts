import { buildBundles } from './bundles.ts';
import { coreEnds, runChapter, type ChapterOptions, type ChapterReport } from './chapter.ts';
import { FIGURES, type Finding } from './findings.ts';
import { Dice } from './random-plan.ts';
import { STRIKES } from './strikes.ts';

/** What is to be tortured, and how. */
export interface TortureOptions {
  readonly packageRoot: string;
  /** For bundles; below the package. */
  readonly folder: string;
  /** Ends of the core; blows to workers come on top. */
  readonly kills: number;
  readonly seed: number;
  /** Chapters at once. */
  readonly jobs: number;
  /** Tasks of each wave of the batch. */
  readonly tasks?: number;
  /** Only this chapter, to see it again. */
  readonly only?: number;
  readonly tell: (line: string) => void;
}

/** What came of it. */
export interface TortureReport {
  readonly findings: readonly Finding[];
  readonly kills: number;
}

/** Ends of the core in one data folder. */
const KILLS_A_CHAPTER = 10;
const TASKS_A_WAVE = 7;

/** Kills the core of busy batches at random moments and compares what was told and done with what is stored; prints a table. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { folder, packageRoot, kills, seed, tell, only } = options;
  tell(`seed ${seed}, ${kills} ends of the core`);
  const bundles = await buildBundles(folder);
  const dice = new Dice(seed);
  const chapters = Array.from({ length: Math.ceil(kills / KILLS_A_CHAPTER) }, (_, number) => ({
    number,
    seed: dice.between(0, 2 ** 31),
    kills: Math.min(KILLS_A_CHAPTER, kills - number * KILLS_A_CHAPTER),
  })).filter(({ number }) => only === undefined || number === only);
  const reports: ChapterReport[] = [];
  const work = async (): Promise<void> => {
    for (let next = chapters.shift(); next !== undefined; next = chapters.shift()) {
      const firstStrike = next.number * 100;
      const tasks = options.tasks ?? TASKS_A_WAVE;
      const report = await chapterOrFinding({ bundles, packageRoot, ...next, firstStrike, tasks });
      reports.push(report);
      tellChapter(next.number, report, options);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  tellTable(reports, tell);
  return {
    findings: reports.flatMap(({ findings }) => findings),
    kills: reports.reduce((sum, { strikes }) => sum + coreEnds(strikes), 0),
  };
}

/** A chapter that could not be brought to its end shows nothing, and so is a finding. */
export function chapterOrFinding(options: ChapterOptions): Promise<ChapterReport> {
  return runChapter(options).catch(broken);
}

function broken(error: unknown): ChapterReport {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const findings = [{ figure: 'chapters that broke' as const, words }];
  return { findings, strikes: [], runs: 0, entries: 0, frames: 0, kept: null };
}

function tellChapter(number: number, report: ChapterReport, { seed, kills, tell }: TortureOptions): void {
  const { runs, entries, frames, strikes, findings, kept } = report;
  tell(
    `chapter ${number}: ${strikes.length} strikes, ${runs} runs, ${frames} events, ${entries} entries, ${findings.length} findings`,
  );
  for (const { figure, words } of findings) tell(`  ${figure}: ${words}`);
  if (kept !== null)
    tell(`  again: npm run torture -- --seed ${seed} --kills ${kills} --chapter ${number}; its data: ${kept}`);
}

function tellTable(reports: readonly ChapterReport[], tell: (line: string) => void): void {
  const strikes = reports.flatMap((report) => report.strikes);
  tell('');
  for (const type of STRIKES) tell(line(type, strikes.filter((strike) => strike.type === type).length));
  for (const what of ['runs', 'frames', 'entries'] as const) {
    tell(
      line(
        `${what} looked at`,
        reports.reduce((sum, report) => sum + report[what], 0),
      ),
    );
  }
  tell('');
  const found = reports.flatMap(({ findings }) => findings);
  for (const figure of FIGURES) tell(line(figure, found.filter((each) => each.figure === figure).length));
}

function line(words: string, figure: number): string {
  return `${words.padEnd(56)}${String(figure).padStart(8)}`;
}
