import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSkills, type SkillSources } from './load-skills.ts';
import { userSkillFolders } from './skill-folders.ts';

let outer: string;
let project: string;
let own: string;

beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-skills-')));
  project = join(outer, 'project');
  own = join(outer, 'own');
  mkdirSync(project);
});

afterEach(() => rmSync(outer, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(outer, path)), { recursive: true });
  writeFileSync(join(outer, path), text);
};

const skill = (folder: string, description: string, more = ''): void =>
  write(`${folder}/SKILL.md`, `---\n${more}description: ${description}\n---\n\nDo it so.\n`);

const load = (more: Partial<SkillSources> = {}) => loadSkills({ project, folders: [own], only: null, ...more });

const names = async (more: Partial<SkillSources> = {}) => (await load(more)).skills.map(({ name }) => name);

describe('K1: the skills of a run', () => {
  test('K1: those of the project come before the user’s own; of two of one name the first counts', async () => {
    skill('project/.espalier/skills/review', 'Reviews ours');
    skill('project/.claude/skills/deploy', 'Deploys');
    skill('project/.agents/skills/review', 'Reviews as agents do');
    skill('own/review', 'Reviews mine');
    skill('own/letters', 'Writes letters', 'name: writes-letters\n');
    const { skills, warnings } = await load();
    expect(warnings).toEqual([]);
    expect(skills).toEqual([
      { name: 'deploy', description: 'Deploys', place: join(project, '.claude/skills/deploy/SKILL.md') },
      { name: 'review', description: 'Reviews ours', place: join(project, '.espalier/skills/review/SKILL.md') },
      { name: 'writes-letters', description: 'Writes letters', place: join(own, 'letters/SKILL.md') },
    ]);
  });

  test('A4: what an untrusted project brings is not looked at', async () => {
    skill('project/.espalier/skills/review', 'Reviews ours');
    skill('own/review', 'Reviews mine');
    expect((await load({ project: null })).skills).toMatchObject([{ description: 'Reviews mine' }]);
  });

  test('K3: an agent’s list picks: absent is all, empty is none, an unknown name is told', async () => {
    skill('own/a', 'Does a');
    skill('own/b', 'Does b');
    expect(await names()).toEqual(['a', 'b']);
    expect(await names({ only: [] })).toEqual([]);
    const picked = await load({ only: ['b', 'c'] });
    expect(picked.skills.map(({ name }) => name)).toEqual(['b']);
    expect(picked.warnings).toEqual(['There is no skill "c".']);
  });

  test('bad files are told and left out, the others stay', async () => {
    skill('own/good', 'Is good');
    write('own/plain/SKILL.md', 'No front matter.');
    write('own/broken/SKILL.md', '---\nname: [\n---\n');
    write('own/list/SKILL.md', '---\n- a\n---\n');
    write('own/mute/SKILL.md', '---\nname: mute\n---\n');
    skill('own/odd', 'Is odd', 'name: "../odd"\n');
    write('own/endless/SKILL.md', `---\n${'a: b\n'.repeat(10_000)}---\n`);
    write('own/other/README.md', 'Not a skill.');
    const { skills, warnings } = await load();
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(warnings).toEqual([
      expect.stringMatching(/broken is left out: its front matter is no YAML/),
      expect.stringMatching(/endless is left out: it does not begin with front matter/),
      expect.stringMatching(/list is left out: its front matter must be a list of fields/),
      expect.stringMatching(/mute is left out: it has no description/),
      expect.stringMatching(/odd is left out: its name must be/),
      expect.stringMatching(/plain is left out: it does not begin with front matter/),
    ]);
  });

  test('A3: a project’s skill that is a link out of the project is refused; the user’s own links are followed', async () => {
    skill('elsewhere/linked', 'Lies elsewhere');
    mkdirSync(join(project, '.claude/skills'), { recursive: true });
    mkdirSync(own);
    symlinkSync(join(outer, 'elsewhere/linked'), join(project, '.claude/skills/linked'));
    const refused = await load();
    expect(refused.skills).toEqual([]);
    expect(refused.warnings).toEqual([expect.stringContaining('outside')]);
    symlinkSync(join(outer, 'elsewhere/linked'), join(own, 'linked'));
    expect(await names({ project: null })).toEqual(['linked']);
  });

  test('descriptions, their number and their sum are bounded, and what is left out is told', async () => {
    skill('own/long', 'x'.repeat(5000));
    const [long] = (await load()).skills;
    expect(long?.description).toHaveLength(1024);
    for (let n = 0; n < 100; n += 1) skill(`own/many-${String(n).padStart(3, '0')}`, 'One of many');
    const { skills, warnings } = await load();
    expect(skills).toHaveLength(64);
    expect(warnings).toEqual([expect.stringMatching(/^There is no room for 37 more skills: many-063/)]);
    for (let n = 0; n < 100; n += 1) skill(`own/many-${String(n).padStart(3, '0')}`, 'y'.repeat(1000));
    expect((await load()).skills.length).toBeLessThan(30);
  });
});

test('the user’s own folders are in the data folder, and where other agents keep theirs', () => {
  expect(userSkillFolders('/data', { HOME: '/home/me' })).toEqual([
    '/data/skills',
    '/home/me/.claude/skills',
    '/home/me/.agents/skills',
  ]);
});
