/** USD with six decimal places, as rows and results show it (T6, case 24). */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
