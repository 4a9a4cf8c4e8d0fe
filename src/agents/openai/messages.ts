// The conversation so far: what goes with every request, and what gives way when it no longer fits.
import type { Message, Reply, ToolCall } from './chat.ts';
import { shorten } from './bounded-text.ts';

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

/** An id of our own where the model gave none, or one that is taken; nine letters and digits, which even the strictest take. */
export function withIds(calls: readonly ToolCall[], taken: ReadonlySet<string>, step: number): ToolCall[] {
  const seen = new Set(taken);
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? ownId(step, index) : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

function ownId(step: number, index: number): string {
  return `call${(step * 64 + index).toString(36).padStart(5, '0')}`;
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

/** Many endpoints parse them again, and choke on what a model got wrong. */
function validArguments(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify({ invalid: shorten(text, 2_000) });
  }
}

/** Every call needs a result before the conversation can go on. */
export function answerOpenCalls(messages: readonly Message[], content: string): Message[] {
  const answered = new Set(messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])));
  const open = messages.flatMap((one) =>
    one.role === 'assistant' ? (one.tool_calls ?? []).filter(({ id }) => !answered.has(id)) : [],
  );
  return open.map(({ id }) => ({ role: 'tool', tool_call_id: id, content }));
}

/** What is left of an old result, round after round, until the conversation fits. */
const shortLengths = [2_000, 200];
/** The newest results are what the model is working on. */
const untouchedLast = 4;

/**
 * The same conversation with old tool results, answers and arguments shortened; null when nothing is left to shorten.
 * The task itself (the first two messages) stays whole.
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
    const given = call.function.arguments;
    if (given.length <= length) return call;
    return {
      ...call,
      function: { ...call.function, arguments: JSON.stringify({ shortened: shorten(given, length) }) },
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
