import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { Result } from '../kit/result.ts';
import type { contract } from '../protocol/contract.ts';
import type { ApiError } from '../protocol/errors.ts';

type Contract = typeof contract;
type Inputs = InferContractRouterInputs<Contract>;
type Outputs = InferContractRouterOutputs<Contract>;

/** Who calls: told to others when it answers an ask. */
export interface Caller {
  readonly client: string;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Everything the core does for its clients, area by area as in the API contract; the live feed is served beside it. Every
 * expected failure is a value, and becomes a wire error in one place (`api/router.ts`).
 */
export type CoreService = {
  readonly [Area in Exclude<keyof Contract, 'live'>]: {
    readonly [Name in keyof Contract[Area]]: (
      input: Name extends keyof Inputs[Area] ? Inputs[Area][Name] : never,
      caller: Caller,
    ) => Promise<Result<Name extends keyof Outputs[Area] ? Outputs[Area][Name] : never, ApiError>>;
  };
};
