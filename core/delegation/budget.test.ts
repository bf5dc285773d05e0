import { describe, expect, it } from 'vitest';
import { amountWords, judgeBudget, UNLIMITED, unspent, type LimitScope } from './budget.ts';

const scope = (more: Partial<LimitScope>): LimitScope => ({
  name: 'this conversation',
  from: { cost_usd: 'limits.treeCostUsd', tokens: 'limits.treeTokens' },
  ceiling: UNLIMITED,
  spent: { cost_usd: 0, unknown: false, tokens: 0 },
  held: { cost_usd: 0, tokens: 0 },
  ...more,
});
const spent = (cost_usd: number, tokens = 0): LimitScope['spent'] => ({ cost_usd, tokens, unknown: false });
const held = (cost_usd: number, tokens = 0): LimitScope['held'] => ({ cost_usd, tokens });

describe('R5: admission reserves min(own limit, what is left)', () => {
  it('nothing is limited → nothing is reserved', () => {
    expect(judgeBudget(UNLIMITED, [])).toEqual({ type: 'admitted', left: UNLIMITED });
    expect(judgeBudget(UNLIMITED, [scope({})])).toEqual({ type: 'admitted', left: UNLIMITED });
  });

  it('case 25: of $3 with $0.01 spent a run with a limit of $20 gets $2.99', () => {
    const tree = scope({ ceiling: { cost_usd: 3, tokens: null }, spent: spent(0.01) });
    expect(judgeBudget({ cost_usd: 20, tokens: null }, [tree])).toEqual({
      type: 'admitted',
      left: { cost_usd: 2.99, tokens: null },
    });
  });

  it('its own limit → when that is less', () => {
    const tree = scope({ ceiling: { cost_usd: 3, tokens: 1000 } });
    expect(judgeBudget({ cost_usd: 0.5, tokens: 2000 }, [tree])).toMatchObject({
      left: { cost_usd: 0.5, tokens: 1000 },
    });
  });

  it('the tightest of several scopes', () => {
    const set = scope({ ceiling: { cost_usd: 5, tokens: null }, spent: spent(1) });
    const day = scope({ ceiling: { cost_usd: 10, tokens: null }, spent: spent(7), held: held(2.5) });
    expect(judgeBudget(UNLIMITED, [set, day])).toMatchObject({ left: { cost_usd: 0.5 } });
  });

  it('others hold all that is left → waits, and says so with the figures', () => {
    const tree = scope({ ceiling: { cost_usd: 3, tokens: null }, spent: spent(0.01), held: held(2.99) });
    const verdict = judgeBudget({ cost_usd: 20, tokens: null }, [tree]);
    expect(verdict).toMatchObject({ type: 'wait' });
    expect(verdict.type === 'wait' && verdict.why).toContain('$0.01 spent, $2.99 held by runs at work');
  });

  it('nothing is left and nobody holds any → refused at once with the figures', () => {
    const tree = scope({ ceiling: { cost_usd: 3, tokens: null }, spent: spent(3.0021) });
    expect(judgeBudget(UNLIMITED, [tree])).toEqual({
      type: 'refused',
      why: 'Nothing is left of the limit of $3.00 of this conversation (limits.treeCostUsd): $3.0021 spent, $0.00 held by runs at work.',
    });
  });

  it('one scope could get room again and another never → refused', () => {
    const set = scope({ ceiling: { cost_usd: 1, tokens: null }, held: held(1) });
    const day = scope({ name: 'today', ceiling: { cost_usd: 5, tokens: null }, spent: spent(5) });
    expect(judgeBudget(UNLIMITED, [set, day])).toMatchObject({ type: 'refused' });
  });

  it('tokens are limited like money, each by itself', () => {
    const tree = scope({ ceiling: { cost_usd: 3, tokens: 1000 }, spent: spent(1, 400), held: held(0, 600) });
    const verdict = judgeBudget(UNLIMITED, [tree]);
    expect(verdict).toMatchObject({ type: 'wait' });
    expect(verdict.type === 'wait' && verdict.why).toContain('1,000 tokens');
  });

  it('its own limit is used up → refused', () => {
    expect(judgeBudget({ cost_usd: 0, tokens: null }, [])).toMatchObject({ type: 'refused' });
  });

  it('a part of what was spent is at unknown prices → said with the figures', () => {
    const day = scope({ name: 'today', ceiling: { cost_usd: 1, tokens: null }, spent: { ...spent(2), unknown: true } });
    const verdict = judgeBudget(UNLIMITED, [day]);
    expect(verdict.type === 'refused' && verdict.why).toContain('$2.00 spent, and more at unknown prices');
  });
});

describe('R5: amounts', () => {
  it('what of a hold is not spent is held; an overdraft holds nothing', () => {
    expect(unspent({ cost_usd: 2.99, tokens: null }, held(0.01, 50))).toEqual({ cost_usd: 2.98, tokens: 0 });
    expect(unspent({ cost_usd: 1, tokens: 10 }, held(1.5, 50))).toEqual({ cost_usd: 0, tokens: 0 });
  });

  it('are written to the cent, and to six places where there is more', () => {
    expect(amountWords('cost_usd', 3)).toBe('$3.00');
    expect(amountWords('cost_usd', 0.0123)).toBe('$0.0123');
    expect(amountWords('tokens', 1200)).toBe('1,200 tokens');
  });
});
