import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rmSync } from 'node:fs';
import { packageRoot } from '../../host/place/package-root.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    jobs: { type: 'string', default: '1' },
    chapter: { type: 'string' },
  },
});
const number = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`not a number: ${text}`);
  return value;
};
const root = packageRoot(import.meta.dirname);
const folder = join(root, '.cache', 'torture', String(process.pid));
try {
  const zeros = await torture({
    packageRoot: root,
    folder,
    kills: number(values.kills),
    seed: number(values.seed),
    jobs: Math.max(1, number(values.jobs)),
    ...(values.chapter === undefined ? {} : { only: number(values.chapter) }),
    tell: (line) => console.log(line),
  });
  process.exitCode = zeros.findings.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
