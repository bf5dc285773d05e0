import type { ToolDisplay } from '../../protocol/entry.ts';
import type { FailureReason } from '../../protocol/outcome.ts';
import type { Tokens } from '../../protocol/usage.ts';
import type { AskAnswer } from '../contract.ts';

/** Why a turn came to an end other than by an answer. */
export interface AgentFailure {
  readonly reason: FailureReason;
  readonly message: string;
}

/** What an agent was seen to do, whatever words its own stream has for it. Adapters make these; the runner acts on them. */
export type AgentEvent =
  /** Its own name for the conversation, by which it can be gone on with. */
  | { readonly type: 'session'; readonly id: string }
  /** Text of its model; `key` is one entry. `whole` is the whole text of the entry and ends it. */
  | { readonly type: 'text' | 'reasoning'; readonly key: string; readonly delta?: string; readonly whole?: string }
  /** A message of its model is over: one turn of R4. */
  | { readonly type: 'message_end' }
  | {
      readonly type: 'tool';
      readonly id: string;
      readonly name: string;
      readonly title: string;
      readonly arguments: string;
    }
  /** Output of a tool that runs; `whole` replaces what came before. */
  | { readonly type: 'tool_output'; readonly id: string; readonly text: string; readonly whole: boolean }
  | {
      readonly type: 'tool_end';
      readonly id: string;
      readonly status: 'ok' | 'error' | 'refused';
      /** Null keeps the output that was seen. */
      readonly text: string | null;
      readonly display: ToolDisplay | null;
    }
  /** Tokens and cost: `add` of one request, `total` since the program started. A cost of null is not known. */
  | {
      readonly type: 'usage';
      readonly as: 'add' | 'total';
      readonly tokens: Tokens;
      readonly cost_usd: number | null;
    }
  /** A steering text has become part of its turn (C2). */
  | { readonly type: 'steered'; readonly steer_id: string }
  /** A steering text came too late for the turn. */
  | { readonly type: 'steer_refused'; readonly steer_id: string }
  /** It wants to do something that needs a person's word. */
  | {
      readonly type: 'ask';
      /** Its own name of the tool; `kind` says what that does. */
      readonly tool: string;
      readonly kind: 'read' | 'edit' | 'execute';
      readonly title: string;
      readonly detail: string;
      readonly diff: string | null;
      /** The file that an edit is about. */
      readonly path: string | null;
      readonly answer: (answer: Pick<AskAnswer, 'choice' | 'note'>) => void;
      /** Aborted when it takes that back; then it waits for no answer. */
      readonly withdrawn: AbortSignal;
    }
  /** An agent that it started inside of itself. */
  | {
      readonly type: 'subagent';
      readonly key: string;
      readonly title: string;
      readonly status: 'running' | 'ok' | 'error' | 'unknown';
      readonly text: string;
    }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** It tries a model request again; kept as what was last seen, in case it never stops. */
  | { readonly type: 'retry'; readonly text: string; readonly failure: AgentFailure }
  /** A model request is under way, or not any more. */
  | { readonly type: 'request'; readonly open: boolean }
  /** The turn is over. `interrupted`: because we asked for it. `answer` replaces the last text, where the agent says what its answer is. */
  | {
      readonly type: 'turn_end';
      readonly failure: AgentFailure | null;
      readonly interrupted: boolean;
      readonly answer?: string;
      /** A limit that the agent itself kept. */
      readonly limit?: 'max_turns' | 'max_tokens' | 'budget';
    };

/** How a turn ended. */
export type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;
