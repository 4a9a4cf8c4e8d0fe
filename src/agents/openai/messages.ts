// Builds the conversation that goes with every request, and shortens it when it no longer fits.
import type { Message, Reply, ToolCall } from './chat.ts';
import { shorten } from './bounded-text.ts';
import { parseJson } from '#base/parse-json.ts';

export function systemPrompt(readOnly: boolean): string {
  const may = readOnly
    ? 'You may look at everything and run commands, but you must not change any file: changes are noticed and make your work void.'
    : 'Change files with write and edit, and check your work with run.';
  return [
    'You are a coding agent. You work in a repository, the workspace, through tools; paths are relative to its root.',
    may,
    'Look before you act, act instead of describing what could be done, and go on until the task is finished.',
    'When there is nothing left to do, give your final answer without a tool call: that ends the session.',
  ].join('\n');
}

/** Replaces a missing or used id by nine letters and digits, which every endpoint accepts. */
export function withIds(calls: readonly ToolCall[], taken: ReadonlySet<string>, step: number): ToolCall[] {
  const seen = new Set(taken);
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? ownId(step * 64 + index, seen) : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

/** A resumed conversation counts its steps from the start again, so an id may be in use. */
function ownId(number: number, taken: ReadonlySet<string>): string {
  const id = `call${number.toString(36).padStart(5, '0')}`;
  return taken.has(id) ? ownId(number + 1, taken) : id;
}

export function assistantMessage(reply: Reply, calls: readonly ToolCall[]): Message {
  if (calls.length === 0) return { role: 'assistant', content: reply.text };
  return {
    role: 'assistant',
    content: reply.text,
    tool_calls: calls.map(({ id, name, argumentsText }) => ({
      id,
      type: 'function',
      function: { name, arguments: validArguments(argumentsText) },
    })),
  };
}

/** Many endpoints parse the arguments again, and fail on invalid JSON of a model. */
function validArguments(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify({ invalid: shorten(text, 2_000) }) : text;
}

/**
 * The conversation with `content` as the result of each call without one: endpoints refuse a call without a
 * result right after it. By position, because models repeat their ids.
 */
export function answerOpenCalls(messages: readonly Message[], content: string): Message[] {
  return messages.flatMap((one, index) => {
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
    if (calls.length === 0) return [one];
    const results = messages.slice(index + 1, index + 1 + calls.length);
    const answered = results.flatMap((next) => (next.role === 'tool' ? [next.tool_call_id] : []));
    const open = calls.filter(({ id }) => !answered.includes(id));
    return [one, ...open.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content }))];
  });
}

/** Lengths of an old result, round after round, until the conversation fits. */
const shortLengths = [2_000, 200];
/** The model still works with the newest results. */
const untouchedLast = 4;

/**
 * The conversation with old tool results, answers and arguments shortened; null when nothing can be
 * shortened. The task itself (the first two messages) stays whole.
 */
export function shortenOld(messages: readonly Message[]): Message[] | null {
  for (const length of shortLengths) {
    const end = messages.length - untouchedLast;
    const shorter = messages.map((one, index) => (index < 2 || index >= end ? one : shortened(one, length)));
    if (sizeOf(shorter) < sizeOf(messages) * 0.9) return shorter;
  }
  const last = messages.map((one, index) => (index < 2 ? one : shortened(one, 1_000)));
  return sizeOf(last) < sizeOf(messages) * 0.9 ? last : null;
}

function shortened(message: Message, length: number): Message {
  if (message.role !== 'assistant') return { ...message, content: shorten(message.content, length) };
  const calls = message.tool_calls?.map((call) => {
    const argumentText = call.function.arguments;
    if (argumentText.length <= length) return call;
    return {
      ...call,
      function: { ...call.function, arguments: JSON.stringify({ shortened: shorten(argumentText, length) }) },
    };
  });
  return {
    ...message,
    content: shorten(message.content, length),
    ...(calls !== undefined && { tool_calls: calls }),
  };
}

function sizeOf(messages: readonly Message[]): number {
  return JSON.stringify(messages).length;
}
