import type { DispatchOptions } from '../../core/protocol/api/dispatch.ts';
import { Isolation, Permission } from '../../core/protocol/settings.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';

/** The options of `run` and `prompt` as the API takes them. */
export function dispatchOptions(args: ParsedArguments): DispatchOptions {
  const given: DispatchOptions = {
    agent: args.text('agent'),
    model: args.text('model'),
    // The command line has been checked against the same words.
    isolation: Isolation.optional().parse(args.text('isolation')),
    permission: Permission.optional().parse(args.text('permission')),
    max_concurrent: args.number('max-concurrent'),
    timeout_seconds: args.number('timeout'),
    max_cost_usd: args.number('max-cost'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
