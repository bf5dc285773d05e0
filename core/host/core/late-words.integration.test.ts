import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CoreLab } from '../../testing/core-lab.ts';
import { testReport } from '../../testing/delegation.ts';

test('T7, D5: a lost run whose worker lived on and left its last words in its spool gets the verdict that they prove', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch([{ goal: 'true', agent: 'command', isolation: 'none' }]);
  const { run_id } = await lab.result(answer);
  const folder = join(lab.git.data, 'projects', await lab.project());
  await lab.leave();
  const db = new DatabaseSync(join(folder, 'project.db'));
  const lost = "json_set(row, '$.outcome', 'lost', '$.exit_reason', 'unknown')";
  db.prepare(`UPDATE runs SET outcome = 'lost', row = ${lost} WHERE run_id = ?`).run(run_id);
  const attempt = db.prepare('SELECT attempt_id, committed_seq FROM attempts WHERE run_id = ?').get(run_id);
  db.close();
  const { attempt_id, committed_seq } = attempt as { attempt_id: string; committed_seq: number };
  const place = join(folder, 'attempts', attempt_id);
  const meta = { type: 'text', partial: false };
  const events = [
    { type: 'entry', entry: 40, at: 1, meta, text: 'Said while nobody listened.' },
    { type: 'ended', last_seq: committed_seq + 2, report: testReport({ answer: 'It was done.' }), session: null },
  ];
  const frames = events.map((event, at) => JSON.stringify({ type: 'event', seq: committed_seq + 1 + at, event }));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'spool.ndjson'), `${frames.join('\n')}\n`);
  await lab.host();
  const row = await lab.rowWhen(run_id, 'a verdict', ({ outcome }) => outcome !== 'lost');
  expect(row).toMatchObject({ state: 'ended', outcome: 'completed', summary: 'It was done.' });
  expect(await lab.count('run_ended', run_id)).toBe(2);
  expect(existsSync(join(place, 'spool.ndjson'))).toBe(false);
  await lab.leave();
  const entries = new DatabaseSync(join(folder, 'project.db'), { readOnly: true });
  const said = entries.prepare('SELECT text FROM entries WHERE run_id = ? AND entry = 40').get(run_id);
  entries.close();
  expect(said).toEqual({ text: 'Said while nobody listened.' });
});
