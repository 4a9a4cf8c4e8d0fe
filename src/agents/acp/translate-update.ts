// Translates `session/update` to our events; tracks open calls, because agents report them differently.
import type { AgentEvent } from '#ports/agent.ts';
import { cut } from '#agents/shared/client-words.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#agents/shared/json.ts';

export interface Translator {
  update(update: Fields): AgentEvent[];
  /** A permission request may name an unreported call, and a refused call is never reported as ended. */
  permission(toolCall: Fields, isAllowed: boolean): AgentEvent[];
  kindOf(id: string): string;
}

/** Enough for a log line; agents put whole files into it. */
const summaryMax = 400;
const thoughtMax = 2_000;

interface Call {
  readonly kind: string;
  isOpen: boolean;
  summary: string;
}

export function createTranslator(): Translator {
  const calls = new Map<string, Call>();
  let messageId = '';

  const begin = (id: string, fields: Fields): AgentEvent[] => {
    const summary = describeCall(fields);
    if (calls.has(id)) return [];
    calls.set(id, { kind: textOf(fields['kind']), isOpen: true, summary });
    return [{ type: 'tool-call', id, name: nameOf(fields), summary }];
  };
  const end = (id: string, isError: boolean, summary: string): AgentEvent[] => {
    const call = calls.get(id);
    if (call === undefined || !call.isOpen) return [];
    call.isOpen = false;
    return [{ type: 'tool-result', id, isError, summary: cut(summary, summaryMax) }];
  };
  const call = (fields: Fields): AgentEvent[] => {
    const id = textOf(fields['toolCallId']);
    const events = begin(id, fields);
    const { status } = fields;
    if (status === 'completed' || status === 'failed') {
      return [...events, ...end(id, status === 'failed', describeContent(fields))];
    }
    return events.length > 0 ? events : news(calls.get(id), fields);
  };
  /** A new message is not a continuation of the previous one. */
  const text = (fields: Fields): AgentEvent[] => {
    const id = textOf(fields['messageId']);
    const isNext = messageId !== '' && id !== '' && id !== messageId;
    messageId = id;
    const { type, text: piece } = fieldsOf(fields['content']);
    if (type !== 'text') return [{ type: 'notice', text: `The agent sent ${textOf(type) || 'something'}.` }];
    return [{ type: 'text', text: `${isNext ? '\n' : ''}${textOf(piece)}` }];
  };

  return {
    update: (fields) => {
      switch (fields['sessionUpdate']) {
        case 'agent_message_chunk':
          return text(fields);
        case 'tool_call':
        case 'tool_call_update':
          return call(fields);
        default:
          return noticeOf(fields);
      }
    },
    permission: (toolCall, isAllowed) => {
      const id = textOf(toolCall['toolCallId']);
      const events = begin(id, toolCall);
      return isAllowed ? events : [...events, ...end(id, true, 'refused: this role may not do it')];
    },
    kindOf: (id) => calls.get(id)?.kind ?? '',
  };
}

/** Many agents report a call before they know its input. */
function news(call: Call | undefined, fields: Fields): AgentEvent[] {
  const summary = describeCall(fields);
  if (call === undefined || !call.isOpen || summary === call.summary || summary === '') return [];
  call.summary = summary;
  return [{ type: 'notice', text: `→ ${summary}` }];
}

function noticeOf(fields: Fields): AgentEvent[] {
  switch (fields['sessionUpdate']) {
    case 'agent_thought_chunk': {
      const piece = textOf(fieldsOf(fields['content'])['text']);
      return piece === '' ? [] : [{ type: 'notice', text: cut(`(thinks) ${piece}`, thoughtMax) }];
    }
    case 'plan': {
      const entries = listOf(fields['entries']).map(
        (entry) => `[${textOf(entry['status'])}] ${textOf(entry['content'])}`,
      );
      return [{ type: 'notice', text: cut(`plan: ${entries.join(' · ')}`, thoughtMax) }];
    }
    case 'current_mode_update':
      return [{ type: 'notice', text: `The agent is now in mode ${textOf(fields['currentModeId'])}.` }];
    case 'notice':
      return [
        {
          type: 'notice',
          text: cut(`${textOf(fields['severity'])}: ${textOf(fields['title'])}`, summaryMax),
        },
      ];
    default:
      return [];
  }
}

function nameOf(fields: Fields): string {
  return textOf(fields['name']) || textOf(fields['kind']) || 'tool';
}

function describeCall(fields: Fields): string {
  const title = textOf(fields['title']);
  const paths = listOf(fields['locations']).map((place) => textOf(place['path']));
  return cut([title, ...paths.filter((path) => !title.includes(path))].join(' ').trim(), summaryMax);
}

function describeContent(fields: Fields): string {
  const parts = listOf(fields['content']).map((part) => {
    if (part['type'] === 'diff') return `changed ${textOf(part['path'])}`;
    return textOf(fieldsOf(part['content'])['text']);
  });
  return parts.filter((part) => part !== '').join('\n') || textOf(fields['title']);
}
