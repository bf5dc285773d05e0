import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { circleIn, columnsOf, layoutOrder, NODE, stepsOf } from './order-graph.ts';

/** The nine tasks of the reference picture. */
const NINE = [[], [], [], [0], [0], [], [0, 4], [0, 1, 2, 3, 4, 5, 6], []];

describe('columns', () => {
  test('a task stands one after the last that it waits for', () => {
    expect(columnsOf(NINE)).toEqual([0, 0, 0, 1, 1, 0, 2, 3, 0]);
    expect(stepsOf(NINE)).toEqual([5, 2, 1, 1]);
  });

  test('a circle is found and does not hang', () => {
    expect(circleIn([[2], [0], [1]])).toEqual([0, 2, 1]);
    expect(circleIn([[0]])).toEqual([0]);
    expect(circleIn(NINE)).toBeNull();
    expect(columnsOf([[2], [0], [1]]).every((column) => column >= 0)).toBe(true);
  });
});

describe('layout', () => {
  test('fits its width, with the join amid what leads to it', () => {
    const { nodes, width, height } = layoutOrder(NINE, 232);
    expect(width).toBe(232);
    expect(height).toBe(6 * 28 - 8 + 1);
    expect(nodes[7]).toMatchObject({ x: 201.5 });
    expect(nodes[6]?.y).toBe(nodes[4]?.y);
    expect(nodes[7]?.y).toBeGreaterThan(nodes[0]?.y ?? 0);
  });

  test('a wire that another one says already is left out', () => {
    expect(layoutOrder([[], [0], [0, 1]], 232).edges).toHaveLength(2);
  });

  test('a wire on one lane is straight', () => {
    expect(layoutOrder([[], [0]], 232).edges).toEqual(['M28.5 10.5H68.5']);
  });

  test('a long chain is wider than its place instead of being squeezed', () => {
    expect(layoutOrder([[], [0], [1], [2], [3], [4], [5], [6]], 232).width).toBeGreaterThan(232);
  });

  test('no two boxes overlap and every wire leads to the right, whatever waits for what', () => {
    const waits = fc
      .array(fc.array(fc.nat(30), { maxLength: 4, size: 'max' }), { maxLength: 30 })
      .map((lists) => lists.map((list, place) => [...new Set(list.filter((before) => before < place))]));
    fc.assert(
      fc.property(waits, (list) => {
        const { nodes, height } = layoutOrder(list, 232);
        const cells = new Set(nodes.map(({ x, y }) => `${x} ${y}`));
        expect(cells.size).toBe(list.length);
        for (const [place, befores] of list.entries())
          for (const before of befores) expect(nodes[before]!.x + NODE.width).toBeLessThan(nodes[place]!.x);
        for (const { y } of nodes) expect(y + NODE.height).toBeLessThanOrEqual(height);
      }),
    );
  });
});
