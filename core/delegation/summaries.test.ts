import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelegationWorld, testBatch } from '../testing/delegation.ts';
import { decideCall, decideSpawn } from './decide-call.ts';
import { shareOut } from './summaries.ts';

describe('P5: sharing what there is', () => {
  it('short ones get what they need, long ones share the rest alike', () => {
    expect(shareOut([10, 1000, 1000], 510, 24_000)).toEqual([10, 250, 250]);
    expect(shareOut([5, 5], 100, 3)).toEqual([3, 3]);
    expect(shareOut([5, 7], Number.POSITIVE_INFINITY, 24_000)).toEqual([5, 7]);
  });

  it('never more than there is, than each may have, or than it needs; nothing is kept back that one could use', () => {
    const lengths = fc.array(fc.nat(50_000), { maxLength: 30, size: 'max' });
    fc.assert(
      fc.property(lengths, fc.nat(200_000), fc.integer({ min: 1, max: 24_000 }), (texts, total, each) => {
        const shares = shareOut(texts, total, each);
        const sum = shares.reduce((a, b) => a + b, 0);
        expect(sum).toBeLessThanOrEqual(total);
        shares.forEach((share, at) => expect(share).toBeLessThanOrEqual(Math.min(each, texts[at] ?? 0)));
        const wanting = shares.filter((share, at) => share < Math.min(each, texts[at] ?? 0)).length;
        if (wanting > 0) expect(total - sum).toBeLessThan(texts.length);
      }),
    );
  });
});

const LINES = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join('\n');

describe('P5, T6: long summaries', () => {
  it('case 37: a result keeps head and tail of 24,000 characters, and the whole text goes to the file that it names', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.end(run, { answer: LINES });
    const result = world.tree.facts.get(run)?.result;
    expect(result).toMatchObject({ summary_truncated: true, summary_path: `/summaries/${run}.md` });
    expect(result?.summary.length).toBeLessThanOrEqual(24_000);
    expect(result?.summary.startsWith('line 0\nline 1\n')).toBe(true);
    expect(result?.summary.endsWith('\nline 9999')).toBe(true);
    expect(result?.summary).toContain(`the whole text is in /summaries/${run}.md`);
    expect(world.written.get(`/summaries/${run}.md`)).toBe(LINES);
  });

  it('one that fits is left as it is', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.end(run, { answer: 'x'.repeat(24_000) });
    expect(world.tree.facts.get(run)?.result).not.toHaveProperty('summary_path');
    expect(world.written.size).toBe(0);
  });

  it('together they take at most half of what is left of the parent’s context, whole texts in files', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    const call = { call_id: 'c1', tool: 'delegate_task', arguments: {}, context_chars: 8000 };
    world.decide((step) => decideCall(step, lead, call));
    world.decide((step) => decideSpawn(step, lead, 'c1', testBatch(3), true));
    world.wait(lead, 'children');
    world.begin();
    const [one = '', two = '', three = ''] = world.runsOf([...world.tree.sets.keys()][0] ?? '');
    world.end(one, { answer: 'Short.' });
    world.end(two, { answer: LINES.slice(0, 10_000) });
    world.end(three, { answer: LINES.slice(0, 20_000) });
    const text = world.tree.calls.get(`${lead}/c1`)?.answer?.text ?? '';
    expect(text).toContain('Short.');
    expect(text.length).toBeLessThan(4000 + 1200);
    expect(text).toContain(`the whole text is in /summaries/${two}.md`);
    expect(world.written.get(`/summaries/${three}.md`)).toBe(LINES.slice(0, 20_000));
  });

  it('a structured output takes its share too, and a long one is whole in a file of its own', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    const set = world.delegate(lead, 'c1', [{ output_schema: { type: 'array' } }], true) ?? '';
    world.wait(lead, 'children');
    world.begin();
    const [run = ''] = world.runsOf(set);
    const output = LINES.split('\n');
    world.end(run, { answer: 'A list.', output, schema: { valid: true, retries: 0, errors: [] } });
    const text = world.tree.calls.get(`${lead}/c1`)?.answer?.text ?? '';
    expect(text.length).toBeLessThan(26_000);
    expect(text).toContain('output: ["line 0","line 1"');
    expect(text).toContain(`the whole text is in /summaries/${run}-output.md`);
    expect(JSON.parse(world.written.get(`/summaries/${run}-output.md`) ?? '')).toEqual(output);
    expect(world.tree.facts.get(run)?.result?.output).toEqual(output);
  });

  it('an owner that does not say what it can read gets no more than every model can', () => {
    const world = new DelegationWorld({ fanOut: 100 });
    const lead = world.lead();
    world.begin();
    const set = world.delegate(lead, 'c1', 40, true) ?? '';
    world.wait(lead, 'children');
    for (const run of world.runsOf(set)) {
      world.begin();
      world.end(run, { answer: LINES.slice(0, 20_000) });
    }
    expect(world.tree.calls.get(`${lead}/c1`)?.answer?.text.length).toBeLessThan(200_000 + 40 * 200);
  });
});
