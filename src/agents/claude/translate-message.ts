// The messages of Claude Code as our events. The program and the SDK send the same ones.
import type { AgentEvent } from '#ports/agent.ts';
import { bounded, field, listOf, numberOf, recordOf, textOf } from '#agents/shared/json.ts';
import type { Json } from '#agents/shared/json.ts';

const summaryMax = 2_000;
/** The part of a tool's input that says most. */
const telling = ['command', 'file_path', 'notebook_path', 'pattern', 'path', 'url', 'query', 'description'];

export function translateMessage(message: Json): AgentEvent[] {
  switch (field(message, 'type')) {
    case 'assistant':
      return translateAssistant(message);
    case 'user':
      return contentOf(message).flatMap(translateUserBlock);
    case 'system':
      return translateSystem(message);
    case 'rate_limit_event':
      return translateRateLimit(recordOf(field(message, 'rate_limit_info')));
    case 'result':
      return translateDenials(listOf(field(message, 'permission_denials')));
    default:
      return [];
  }
}

/** Said by the client in the name of the model: an error, mostly. Never a word of the assistant. */
export function isSynthetic(message: Json): boolean {
  const inner = recordOf(field(message, 'message'));
  return field(message, 'error') !== undefined || field(inner, 'model') === '<synthetic>';
}

/** What a subagent says is not said by the assistant: a marker in it means nothing. */
function translateAssistant(message: Json): AgentEvent[] {
  const isOwn = field(message, 'parent_tool_use_id') === null && !isSynthetic(message);
  return contentOf(message).flatMap((block): AgentEvent[] => {
    const text = textOf(field(block, 'text'));
    switch (field(block, 'type')) {
      case 'text':
        if (text === '') return [];
        return [isOwn ? { type: 'text', text: text.endsWith('\n') ? text : `${text}\n` } : notice(text)];
      case 'thinking': {
        const thought = textOf(field(block, 'thinking'));
        return thought === '' ? [] : [notice(`thinks: ${thought}`)];
      }
      case 'tool_use':
      case 'server_tool_use':
        return [translateCall(block)];
      default:
        return [];
    }
  });
}

function translateCall(block: Json): AgentEvent {
  const input = recordOf(field(block, 'input'));
  const most = telling.map((name) => textOf(field(input, name))).find((text) => text !== '');
  return {
    type: 'tool-call',
    id: textOf(field(block, 'id')),
    name: textOf(field(block, 'name')),
    summary: bounded(most ?? JSON.stringify(input), summaryMax),
  };
}

function translateUserBlock(block: Json): AgentEvent[] {
  const text = textOf(field(block, 'text'));
  if (field(block, 'type') === 'text') return text === '' ? [] : [notice(`client: ${text}`)];
  if (field(block, 'type') !== 'tool_result') return [];
  return [
    {
      type: 'tool-result',
      id: textOf(field(block, 'tool_use_id')),
      isError: field(block, 'is_error') === true,
      summary: bounded(plainText(field(block, 'content')), summaryMax),
    },
  ];
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => recordOf(part))
    .map((part) => textOf(field(part, 'text')) || `[${textOf(field(part, 'type'))}]`)
    .join('\n');
}

function translateSystem(message: Json): AgentEvent[] {
  const content = textOf(field(message, 'content'));
  switch (field(message, 'subtype')) {
    case 'init':
      return [
        { type: 'session-id', id: textOf(field(message, 'session_id')) },
        notice(introduction(message)),
      ];
    case 'api_retry':
      return [notice(retry(message))];
    case 'compact_boundary':
      return [notice('the conversation was compacted')];
    default:
      return content === '' ? [] : [notice(content)];
  }
}

function introduction(message: Json): string {
  // In the words of the list before the start. The client knows its key, but no account: a login is named there alone.
  const source = textOf(field(message, 'apiKeySource'));
  const key = /^[A-Z][A-Z0-9_]*$/.test(source) ? `, paid by the key in ${source}` : '';
  const version = textOf(field(message, 'claude_code_version'));
  return `Claude Code ${version}, model ${textOf(field(message, 'model'))}${key}`;
}

function retry(message: Json): string {
  const status = numberOf(field(message, 'error_status'));
  const why = `${status === 0 ? '' : `${status} `}${textOf(field(message, 'error'))}`;
  const seconds = numberOf(field(message, 'retry_delay_ms')) / 1_000;
  return `the client tries again in ${seconds} s after: ${why.trim()}`;
}

function translateRateLimit(info: Json): AgentEvent[] {
  const status = textOf(field(info, 'status'));
  if (status === '' || status === 'allowed') return [];
  const resetsAt = numberOf(field(info, 'resetsAt'));
  const end = resetsAt === 0 ? '' : `, resets at ${new Date(resetsAt * 1_000).toISOString()}`;
  return [notice(`usage limit ${textOf(field(info, 'rateLimitType'))}: ${status}${end}`)];
}

function translateDenials(denials: readonly unknown[]): AgentEvent[] {
  const names = denials.map((denial) => textOf(field(recordOf(denial), 'tool_name')));
  return names.length === 0 ? [] : [notice(`refused to the agent: ${names.join(', ')}`)];
}

function contentOf(message: Json): readonly Json[] {
  const content = field(recordOf(field(message, 'message')), 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).map((block) => recordOf(block));
}

function notice(text: string): AgentEvent {
  return { type: 'notice', text: bounded(text, summaryMax) };
}
