/** What a child costs beyond itself: fan-out against an instant model, in ratios to an empty worker (performance contract, first lines). */
import { ModelServer } from '../measure/model-server.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { reportLines, reportTable } from './report.ts';
import { measureRound, type Round } from './round.ts';

const ROUNDS = 5;

if (process.platform === 'linux') await bench();
else console.log('Skipped: processor time and memory of processes are read from /proc, which only Linux has.');

async function bench(): Promise<void> {
  const model = await ModelServer.start();
  try {
    // The first round fills the compile cache, as the first start after an installation does.
    await measureRound(model);
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS) {
      rounds.push(await measureRound(model));
      console.error(`round ${rounds.length} of ${ROUNDS} measured`);
    }
    const lines = reportLines(rounds);
    const about = circumstances();
    console.log(`\n${reportTable(lines)}\n\n${about.commit}, ${about.at}, ${about.machine}; ${ROUNDS} rounds`);
    console.log(`written to ${writeResults('fanout', { ...about, lines, rounds })}`);
  } finally {
    await model.close();
  }
}
