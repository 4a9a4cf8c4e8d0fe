// The types of `/v1/chat/completions`, as far as we use it.
import type { TokenCount } from '#agents/shared/pricing.ts';

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly WireCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A tool call of the model; `argumentsText` is unchecked. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** `stop`, `length`, `tool_calls`, `content_filter`; null if the endpoint did not say. */
  readonly finish: string | null;
  /** The model's own words for a refusal. */
  readonly refusal: string | null;
  readonly usage: ReplyUsage | null;
}

export interface ReplyUsage {
  readonly tokens: TokenCount;
  /** Some endpoints report it. */
  readonly costUsd: number | null;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [key: string]: unknown };
}
