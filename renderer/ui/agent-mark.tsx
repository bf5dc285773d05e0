import type { ReactNode } from 'react';

/** Shapes for kinds of agent: a mark, never a brand's logo. */
const SHAPES = [
  <path key="asterisk" d="M6 1.5v9M1.5 6h9M2.8 2.8l6.4 6.4M9.2 2.8 2.8 9.2" />,
  <path key="hexagon" d="M6 1.2 10.2 3.6v4.8L6 10.8 1.8 8.4V3.6z" />,
  <path key="star" d="M6 1c.5 3 2 4.5 5 5-3 .5-4.5 2-5 5-.5-3-2-4.5-5-5 3-.5 4.5-2 5-5z" />,
  <g key="frame">
    <rect x="2" y="1.5" width="8" height="9" rx="1" />
    <path d="M4.5 4.5h3v3h-3z" />
  </g>,
  <path key="prompt" d="m2 3.2 2.8 2.8L2 8.8M6.2 9.2h4" />,
  <g key="lens">
    <circle cx="5.2" cy="5.2" r="3.4" />
    <path d="m7.8 7.8 2.7 2.7" />
  </g>,
] as const satisfies readonly ReactNode[];

/** Agents that everyone has keep their own shape. */
const OWN: Readonly<Record<string, number>> = {
  general: 0,
  'claude-code': 0,
  codex: 1,
  gemini: 2,
  opencode: 3,
  command: 4,
  explorer: 5,
};

function shapeOf(agent: string): number {
  const own = OWN[agent];
  if (own !== undefined) return own;
  let sum = 0;
  for (const character of agent) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % 4;
}

/** The 12-px mark of an agent, named by it. */
export function AgentMark({ agent }: { readonly agent: string }) {
  return (
    <svg
      className="agent-mark flex-none text-ink-3"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label={agent}
    >
      <title>{agent}</title>
      {SHAPES[shapeOf(agent)]}
    </svg>
  );
}
