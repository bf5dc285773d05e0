import { statSync } from 'node:fs';
import { EXIT } from '../exit-status.ts';
import { Failure } from './failure.ts';

/** Throws why nothing can lie in the data folder; one that is not there yet is no fault. */
export function refuseFaultyHome(home: string): void {
  const why = faultOf(home);
  if (why !== null) {
    throw new Failure(EXIT.environment, `The data folder ${home} ${why}. ESPALIER_HOME names another.`);
  }
}

function faultOf(home: string): string | null {
  try {
    return statSync(home).isDirectory() ? null : 'is not a folder';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : `cannot be used (${code ?? 'unknown'})`;
  }
}
