// The tool loop: ask, run the called tools, ask again, until an answer calls none.
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import { shorten } from './bounded-text.ts';
import type { Reply, ToolCall } from './chat.ts';
import type { Completion } from './completion.ts';
import { resultText } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { assistantMessage, withIds } from './messages.ts';
import type { OpenaiOptions } from './openai-options.ts';
import { openTalk, type Talk } from './talk.ts';
import type { Tally } from './tally.ts';
import { findTextCalls } from './text-calls.ts';
import type { Toolbox } from '#agents/openai/tools/toolbox.ts';
import type { Transcript } from './transcript.ts';
import type { Outcome } from '#agents/shared/outcome.ts';

export interface LoopWorld {
  readonly request: SessionRequest;
  readonly options: OpenaiOptions;
  readonly endpoint: Endpoint;
  readonly toolbox: Toolbox;
  readonly transcript: Transcript;
  readonly tally: Tally;
  /** Fires when the session must stop, for any reason. */
  readonly signal: AbortSignal;
  /** Delays between retries here; the run waits out longer failures. */
  readonly retryDelaysMs: readonly number[];
  /** A returned promise holds the loop back. */
  readonly push: (event: AgentEvent) => void | Promise<void>;
  /** Messages to the session that were not sent yet; the loop empties it. */
  readonly texts: string[];
}

export type LoopEnd =
  | Exclude<Outcome, { readonly kind: 'interrupted' }>
  /** Stopped by the signal. */
  | { readonly kind: 'stopped' };

interface Turn {
  readonly world: LoopWorld;
  readonly talk: Talk;
  readonly step: number;
  readonly reply: Reply;
  /** Empty answers and answers that were cut off: how many in a row, up to this turn. */
  readonly poor: { empty: number; cutOff: number };
}

const emptyMax = 3;
const cutOffMax = 5;
const summaryLengthMax = 4_000;
const emptyNudge = 'Your answer was empty. Continue with the task; when it is finished, say so.';
const cutOffNudge = 'Your answer was cut off by the length limit. Continue exactly where it stopped.';
const lastNudge = 'You have used all your steps. Give your final answer now, without tools.';

export async function converse(world: LoopWorld): Promise<LoopEnd> {
  const talk = await openTalk(world);
  const poor = { empty: 0, cutOff: 0 };
  for (let step = 1; ; step += 1) {
    for (const content of world.texts.splice(0)) await talk.add({ role: 'user', content });
    const isLast = step > world.options.stepsMax;
    if (isLast) await talk.add({ role: 'user', content: lastNudge });
    const completion = await talk.ask(!isLast);
    if (world.signal.aborted) return { kind: 'stopped' };
    if (completion.kind !== 'reply') return failureOf(completion);
    const { reply } = completion;
    await countUsage(world, reply);
    const end = isLast ? endOf(reply) : await takeReply({ world, talk, step, reply, poor });
    if (world.signal.aborted) return { kind: 'stopped' };
    if (end !== null) return end;
  }
}

async function countUsage({ tally, push }: LoopWorld, { usage }: Reply): Promise<void> {
  if (usage === null) return;
  tally.add(usage);
  await push({ type: 'usage', usage: tally.usage() });
}

/** Null while the conversation continues. */
async function takeReply(turn: Turn): Promise<LoopEnd | null> {
  const { world, talk, step, reply, poor } = turn;
  const called = withIds(reply.calls, talk.answeredIds(), step);
  const names = world.toolbox.definitions.map(({ name }) => name);
  const written = called.length > 0 ? [] : findTextCalls(reply.text, names);
  if (called.length === 0 && reply.text.trim() === '') return askForMore(turn);
  poor.empty = 0;
  await talk.add(assistantMessage(reply, called));
  if (called.length + written.length > 0) {
    await useTools(turn, called.length > 0 ? called : written);
    return null;
  }
  if (reply.finish === 'length') return askForTheRest(turn);
  return world.texts.length > 0 ? null : endOf(reply);
}

function endOf({ finish, refusal }: Reply): LoopEnd {
  const isRefused = finish === 'content_filter' || refusal !== null;
  const detail = refusal ?? 'the answer was withheld by a content filter';
  return isRefused ? { kind: 'failed', errorClass: 'refusal', detail } : { kind: 'finished' };
}

async function askForMore({ talk, reply, poor }: Turn): Promise<LoopEnd | null> {
  const end = endOf(reply);
  if (end.kind === 'failed') return end;
  poor.empty += 1;
  if (poor.empty >= emptyMax) {
    const detail = `the model answered nothing, ${emptyMax} times in a row`;
    return { kind: 'failed', errorClass: 'other', detail };
  }
  await talk.add({ role: 'user', content: emptyNudge });
  return null;
}

async function askForTheRest({ talk, poor }: Turn): Promise<LoopEnd | null> {
  poor.cutOff += 1;
  if (poor.cutOff >= cutOffMax) {
    const detail = `the answer was cut off by the length limit, ${cutOffMax} times in a row; raise "maxTokens"`;
    return { kind: 'failed', errorClass: 'other', detail };
  }
  await talk.add({ role: 'user', content: cutOffNudge });
  return null;
}

async function useTools({ world, talk, step, reply, poor }: Turn, calls: readonly ToolCall[]): Promise<void> {
  poor.cutOff = 0;
  const isNative = reply.calls.length > 0;
  for (const [index, call] of calls.entries()) {
    if (world.signal.aborted) return;
    const id = `${step}.${index}`;
    const summary = shorten(world.endpoint.redact(call.argumentsText), summaryLengthMax);
    await world.push({ type: 'tool-call', id, name: shorten(call.name, 100), summary });
    const { isError, text } = await world.toolbox.use(call);
    const advice =
      isError && reply.finish === 'length' ? ' It was cut off by the length limit: write less at once.' : '';
    const content = world.endpoint.redact(text) + advice;
    await world.push({ type: 'tool-result', id, isError, summary: shorten(content, summaryLengthMax) });
    await talk.add(
      isNative
        ? { role: 'tool', tool_call_id: call.id, content }
        : { role: 'user', content: resultText(content) },
    );
  }
}

function failureOf(completion: Exclude<Completion, { readonly kind: 'reply' }>): LoopEnd {
  if (completion.kind === 'crashed') return completion;
  const { errorClass, detail, resetAt } = completion;
  return { kind: 'failed', errorClass, detail, ...(resetAt !== undefined && { resetAt }) };
}
