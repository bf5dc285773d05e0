/**
 * Milliseconds that the programs of a run get between SIGTERM and SIGKILL when the run is stopped. The worker itself is asked politely and
 * then ended with everything below it (C3): at 40 % of its grace, its programs are gone and the report, with their partial output, can still be sent.
 */
export function programGraceMs(stopGraceSeconds: number): number {
  return stopGraceSeconds * 1000 * 0.4;
}
