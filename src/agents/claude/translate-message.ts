// Translates the messages of Claude Code to our events. The program and the SDK send the same messages.
import type { AgentEvent } from '#ports/agent.ts';
import { bounded, valuesOf, numberOf, textOf, fieldsOf, type Fields } from '#agents/shared/json.ts';

const summaryMax = 2_000;
/** Input fields that describe a tool call best, in order of preference. */
const telling = ['command', 'file_path', 'notebook_path', 'pattern', 'path', 'url', 'query', 'description'];

export function translateMessage(message: Fields): AgentEvent[] {
  switch (message['type']) {
    case 'assistant':
      return translateAssistant(message);
    case 'user':
      return contentOf(message).flatMap(translateUserBlock);
    case 'system':
      return translateSystem(message);
    case 'rate_limit_event':
      return translateRateLimit(fieldsOf(message['rate_limit_info']));
    case 'result':
      return translateDenials(valuesOf(message['permission_denials']));
    default:
      return [];
  }
}

/** A message that the client writes as the model, mostly an error. It is never text of the assistant. */
export function isSynthetic(message: Fields): boolean {
  const inner = fieldsOf(message['message']);
  return message['error'] !== undefined || inner['model'] === '<synthetic>';
}

/** A subagent's text is not the assistant's: a marker in it means nothing. */
function translateAssistant(message: Fields): AgentEvent[] {
  const isOwn = message['parent_tool_use_id'] === null && !isSynthetic(message);
  return contentOf(message).flatMap((block): AgentEvent[] => {
    const text = textOf(block['text']);
    switch (block['type']) {
      case 'text':
        if (text === '') return [];
        return [isOwn ? { type: 'text', text: text.endsWith('\n') ? text : `${text}\n` } : notice(text)];
      case 'thinking': {
        const thought = textOf(block['thinking']);
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

function translateCall(block: Fields): AgentEvent {
  const input = fieldsOf(block['input']);
  const most = telling.map((name) => textOf(input[name])).find((text) => text !== '');
  return {
    type: 'tool-call',
    id: textOf(block['id']),
    name: textOf(block['name']),
    summary: bounded(most ?? JSON.stringify(input), summaryMax),
  };
}

function translateUserBlock(block: Fields): AgentEvent[] {
  const text = textOf(block['text']);
  if (block['type'] === 'text') return text === '' ? [] : [notice(`client: ${text}`)];
  if (block['type'] !== 'tool_result') return [];
  return [
    {
      type: 'tool-result',
      id: textOf(block['tool_use_id']),
      isError: block['is_error'] === true,
      summary: bounded(plainText(block['content']), summaryMax),
    },
  ];
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return valuesOf(content)
    .map((part) => fieldsOf(part))
    .map((part) => textOf(part['text']) || `[${textOf(part['type'])}]`)
    .join('\n');
}

function translateSystem(message: Fields): AgentEvent[] {
  const content = textOf(message['content']);
  switch (message['subtype']) {
    case 'init':
      return [{ type: 'session-id', id: textOf(message['session_id']) }, notice(introduction(message))];
    case 'api_retry':
      return [notice(retry(message))];
    case 'compact_boundary':
      return [notice('the conversation was compacted')];
    default:
      return content === '' ? [] : [notice(content)];
  }
}

function introduction(message: Fields): string {
  // Worded like the list before the start, which alone names a login: the client reports only its key.
  const source = textOf(message['apiKeySource']);
  const key = /^[A-Z][A-Z0-9_]*$/.test(source) ? `, paid by the key in ${source}` : '';
  const version = textOf(message['claude_code_version']);
  return `Claude Code ${version}, model ${textOf(message['model'])}${key}`;
}

function retry(message: Fields): string {
  const status = numberOf(message['error_status']);
  const why = `${status === 0 ? '' : `${status} `}${textOf(message['error'])}`;
  const seconds = numberOf(message['retry_delay_ms']) / 1_000;
  return `the client tries again in ${seconds} s after: ${why.trim()}`;
}

function translateRateLimit(info: Fields): AgentEvent[] {
  const status = textOf(info['status']);
  if (status === '' || status === 'allowed') return [];
  const resetsAt = numberOf(info['resetsAt']);
  const end = resetsAt === 0 ? '' : `, resets at ${new Date(resetsAt * 1_000).toISOString()}`;
  return [notice(`usage limit ${textOf(info['rateLimitType'])}: ${status}${end}`)];
}

function translateDenials(denials: readonly unknown[]): AgentEvent[] {
  const names = denials.map((denial) => textOf(fieldsOf(denial)['tool_name']));
  return names.length === 0 ? [] : [notice(`refused to the agent: ${names.join(', ')}`)];
}

function contentOf(message: Fields): readonly Fields[] {
  const content = fieldsOf(message['message'])['content'];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return valuesOf(content).map((block) => fieldsOf(block));
}

function notice(text: string): AgentEvent {
  return { type: 'notice', text: bounded(text, summaryMax) };
}
