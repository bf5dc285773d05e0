import { createORPCClient, DynamicLink, isDefinedError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { QueryClient } from '@tanstack/react-query';
import type { contract } from '../../core/protocol/contract.ts';
import { ApiError } from '../../core/protocol/errors.ts';
import { strings } from '../shared/strings.ts';
import { toastError } from '../ui/toast.tsx';
import { openLink } from './connection.ts';

/** The core's API, typed by the contract. A call made while the line is down waits for the next one. */
export const core: ContractRouterClient<typeof contract> = createORPCClient(new DynamicLink(openLink));

/** The API as TanStack Query options: `useQuery(api.runs.show.queryOptions({ input: { id } }))`. */
export const api = createTanstackQueryUtils(core);

/** The query cache: for what is asked once. What changes by itself lives in the live store. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false, staleTime: 5_000 } },
});

/** The expected failure that a call ended with; null when it was another error. */
export function expectedFailure(error: unknown): ApiError | null {
  if (!isDefinedError(error as Error)) return null;
  const parsed = ApiError.safeParse((error as { data?: unknown }).data);
  return parsed.success ? parsed.data : null;
}

/** What a failed call says to people, and what *Copy details* copies. */
export function describeFailure(error: unknown): { readonly message: string; readonly details: string } {
  const expected = expectedFailure(error);
  if (expected !== null) return { message: expected.message, details: JSON.stringify(expected, null, 2) };
  const message = error instanceof Error ? error.message : String(error);
  return { message: message === '' ? strings.errors.unknown : message, details: String(error) };
}

/** Runs something the user asked for; a failure becomes a toast that names `what` failed. Answers whether it worked. */
export async function attempt(what: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    const { message, details } = describeFailure(error);
    toastError(what, message, `${what}\n${details}`);
    return false;
  }
}

/** A fresh token that makes a command safe to send twice (S7). */
export function clientToken(): string {
  return crypto.randomUUID();
}
