import { describe, expect, it } from 'vitest';
import { reasoningPreview, reasoningTitle } from './message-words.ts';

describe('reasoning, folded', () => {
  it('says how long it took', () => {
    expect(reasoningTitle(12.3, false)).toBe('Reasoned for 12 s');
    expect(reasoningTitle(0.2, false)).toBe('Reasoned for 1 s');
    expect(reasoningTitle(300, false)).toBe('Reasoned for 5m');
    expect(reasoningTitle(null, false)).toBe('Reasoned');
    expect(reasoningTitle(null, true)).toBe('Reasoning…');
  });

  it('shows its first line, while it arrives its last, without marks', () => {
    const text = '**Can reuse be told?**\n\nOnly by `gen`.\n';
    expect(reasoningPreview(text, false)).toBe('Can reuse be told?');
    expect(reasoningPreview(text, true)).toBe('Only by gen.');
    expect(reasoningPreview('', true)).toBe('');
  });
});
