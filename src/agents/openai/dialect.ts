// Omits request features that an endpoint does not support, learnt from its refusals, once each.
import type { Message, ToolDefinition } from './chat.ts';
import type { Completion } from './completion.ts';
import type { OpenaiOptions } from './openai-options.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface Dialect {
  readonly hasStreamOptions: boolean;
  /** `text`: the prompt describes the tools, and calls are read from the answer. */
  readonly tools: 'native' | 'text';
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
}

export const plainDialect: Dialect = {
  hasStreamOptions: true,
  tools: 'native',
  maxTokensField: 'max_tokens',
};

/** The dialect without the refused feature; null when the refusal is about something else. */
export function adapt(dialect: Dialect, completion: Completion): Dialect | null {
  if (completion.kind !== 'failed' || completion.status === null) return null;
  const { status, detail } = completion;
  if (
    dialect.tools === 'native' &&
    /not support (?:tool|function)|tool.{0,40}(?:not supported|unsupported)|enable-auto-tool-choice|--jinja/i.test(
      detail,
    )
  ) {
    return { ...dialect, tools: 'text' };
  }
  if (completion.errorClass !== 'invalid-request') return null;
  if (dialect.maxTokensField === 'max_tokens' && detail.includes('max_completion_tokens')) {
    return { ...dialect, maxTokensField: 'max_completion_tokens' };
  }
  const isFieldProblem = status === 400 || status === 422;
  return isFieldProblem && dialect.hasStreamOptions ? { ...dialect, hasStreamOptions: false } : null;
}

export interface Asked {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Empty when the model must answer without tools. */
  readonly tools: readonly ToolDefinition[];
}

export function bodyOf(dialect: Dialect, options: OpenaiOptions, { model, messages, tools }: Asked): Fields {
  const isNative = dialect.tools === 'native' && tools.length > 0;
  return {
    model,
    messages: joined(dialect.tools === 'native' ? messages : withToolText(messages, tools)),
    stream: true,
    ...(dialect.hasStreamOptions && { stream_options: { include_usage: true } }),
    // OpenRouter reports the cost when asked.
    ...(options.provider === 'openrouter' && { usage: { include: true } }),
    ...(isNative && { tools: tools.map((one) => ({ type: 'function', function: one })) }),
    ...(options.temperature !== null && { temperature: options.temperature }),
    ...(options.maxTokens !== null && { [dialect.maxTokensField]: options.maxTokens }),
  };
}

/** Some models require alternating user and assistant messages: consecutive user messages are joined. */
function joined(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      result[result.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    } else {
      result.push(message);
    }
  }
  return result;
}

/** An endpoint without tools gets no tool messages either: calls and results become plain text. */
function withToolText(messages: readonly Message[], tools: readonly ToolDefinition[]): Message[] {
  const toolLines = tools.map((one) => JSON.stringify(one)).join('\n');
  const manual =
    tools.length === 0
      ? ''
      : `\n\nYou have these tools:\n${toolLines}\n\nTo use one, end your answer with <tool_call>{"name": "…", "arguments": {…}}</tool_call>; its result comes with the next message.`;
  return messages.map((message, index) => {
    if (index === 0 && message.role === 'system') return { ...message, content: message.content + manual };
    if (message.role === 'tool') return { role: 'user', content: resultText(message.content) };
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
    const calls = message.tool_calls.map(
      ({ function: { name, arguments: argumentText } }) =>
        `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${argumentText}}</tool_call>`,
    );
    return { role: 'assistant', content: [message.content, ...calls].join('\n') };
  });
}

export function resultText(result: string): string {
  return `<tool_response>\n${result}\n</tool_response>`;
}
