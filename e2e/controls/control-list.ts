import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords, type ControlRecord } from './control-record.ts';

const LIST = join(import.meta.dirname, 'controls.json');

/** Every control of the app by role and name. Written by this file, checked after each whole run. */
interface ControlList {
  /** Made by a run of all tests: what is not in it is new. */
  readonly whole: boolean;
  /** With a test that uses it. */
  readonly tested: Readonly<Record<string, string>>;
  /** Seen in a test, used by none yet: the list may only get shorter. */
  readonly untested: readonly string[];
}

const nameOf = ({ file, test }: ControlRecord): string => `${file} › ${test}`;

function usersOf(records: readonly ControlRecord[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const record of records)
    for (const control of record.used) users.set(control, [...(users.get(control) ?? []), nameOf(record)]);
  return users;
}

/** The list of these records; a control stays with the test that it had, as long as that one uses it. */
function controlList(records: readonly ControlRecord[], before: ControlList, whole: boolean): ControlList {
  const users = usersOf(records);
  const entries = [...users].map(([control, tests]) => {
    const old = before.tested[control];
    return [control, old !== undefined && tests.includes(old) ? old : ([...tests].sort()[0] ?? '')] as const;
  });
  const seen = new Set(records.flatMap((record) => record.seen));
  return {
    whole,
    tested: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))),
    untested: [...seen].filter((control) => !users.has(control)).sort(),
  };
}

/** What is wrong after a whole run, one line each: a new control without a test, or one that has lost its test. */
export function controlProblems(records: readonly ControlRecord[], list: ControlList): readonly string[] {
  const now = controlList(records, list, true);
  // One that is told by its place may by chance be used in a moment when its place has another name.
  const known = new Set([
    ...list.untested,
    ...Object.keys(list.tested).filter((control) => control.includes('… in “')),
  ]);
  const fresh = now.untested.filter((control) => !known.has(control));
  // Entries that are told by their place stand now here, now there: a conversation at work is another time a recent one.
  const lost = Object.entries(list.tested).filter(
    ([control]) => !(control in now.tested) && !control.includes('… in “'),
  );
  return [
    ...fresh.map((control) => `no test uses ${control}`),
    ...lost.map(([control, test]) => `no test uses ${control} any more; it was used by ${test}`),
  ];
}

export function readList(): ControlList {
  return JSON.parse(readFileSync(LIST, 'utf8')) as ControlList;
}

/** Writes the list anew from the records; `whole`: they are those of all tests. */
export function writeList(whole: boolean): ControlList {
  const list = controlList(readRecords(), readList(), whole);
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  return list;
}

if (process.argv[1] === import.meta.filename) {
  const { tested, untested } = writeList(false);
  console.log(`${Object.keys(tested).length} controls with a test, ${untested.length} without`);
}
