import type { z } from 'zod';
import { settingsStrings } from '../../shared/settings-strings.ts';

const words = settingsStrings.faults;

/** Why a number cannot be a setting, as a sentence of our own. */
export function faultWords({ issues }: Pick<z.ZodError, 'issues'>): string {
  const [issue] = issues;
  if (issue?.code === 'too_small') {
    const least = Number(issue.minimum);
    return issue.inclusive === false ? words.above(least) : words.least(least);
  }
  if (issue?.code === 'too_big') {
    const most = Number(issue.maximum);
    return issue.inclusive === false ? words.below(most) : words.most(most);
  }
  if (issue?.code === 'invalid_type') return issue.expected === 'int' ? words.whole : words.number;
  return settingsStrings.failed;
}
