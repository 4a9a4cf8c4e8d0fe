// Translates codex items to events. `exec --json` and the app-server spell the same items differently.
import type { AgentEvent } from '#ports/agent.ts';
import { cut } from '#agents/shared/client-words.ts';
import { fieldsOf, listOf, textOf, type Fields } from '#agents/shared/json.ts';

export interface ItemReader {
  started(item: Fields): AgentEvent[];
  /** A piece of a message that is still being written. */
  grew(id: string, piece: string): AgentEvent[];
  completed(item: Fields): AgentEvent[];
  /** The model continues: open items now run in the background and are not waited for. */
  wentOn(): AgentEvent[];
  /** The files of a change that is not applied yet. */
  readonly changedPaths: (id: string) => readonly string[] | null;
}

const summaryLengthMax = 400;
const noticeLengthMax = 4_000;

/** Not operations: messages to codex, its own records, and items with their own events. */
const asides =
  /^(?:user_message|hook_prompt|function_call_output|(?:entered|exited)_review_mode|sub_agent_activity)$/;
const notices = /^(?:reasoning|plan|error|todo_list|context_compaction)$/;

export function createItemReader(): ItemReader {
  const open = new Map<string, readonly string[]>();
  const background = new Set<string>();
  const written = new Map<string, number>();

  const call = (item: Fields): AgentEvent[] => {
    const id = textOf(item['id']);
    if (open.has(id) || background.has(id)) return [];
    open.set(id, pathsOf(item));
    return [{ type: 'tool-call', id, name: nameOf(item), summary: cut(summaryOf(item), summaryLengthMax) }];
  };
  const say = (item: Fields): AgentEvent[] => {
    const id = textOf(item['id']);
    const rest = textOf(item['text']).slice(written.get(id) ?? 0);
    written.delete(id);
    // Each message is a separate paragraph: the end of one must not run into the next.
    return [{ type: 'text', text: `${rest}\n` }];
  };
  const close = (item: Fields): AgentEvent[] => {
    const id = textOf(item['id']);
    const { isError, summary } = outcomeOf(item);
    if (background.delete(id)) return [notice(`${nameOf(item)} in the background: ${summary}`)];
    const opened = call(item);
    open.delete(id);
    return [...opened, { type: 'tool-result', id, isError, summary: cut(summary, summaryLengthMax) }];
  };

  return {
    started: (item) => {
      const type = typeOf(item);
      return type === 'agent_message' || asides.test(type) || notices.test(type) ? [] : call(item);
    },
    grew: (id, piece) => {
      if (piece === '') return [];
      written.set(id, (written.get(id) ?? 0) + piece.length);
      return [{ type: 'text', text: piece }];
    },
    completed: (item) => {
      const type = typeOf(item);
      if (type === 'agent_message') return say(item);
      if (asides.test(type)) return [];
      if (notices.test(type)) return noted(item, type);
      return close(item);
    },
    wentOn: () => {
      const left = [...open.keys()];
      open.clear();
      return left.map((id) => {
        background.add(id);
        return { type: 'tool-result', id, isError: false, summary: 'continues in the background' };
      });
    },
    changedPaths: (id) => open.get(id) ?? null,
  };
}

export function notice(text: string): AgentEvent {
  return { type: 'notice', text: cut(text, noticeLengthMax) };
}

/** `commandExecution` and `command_execution` are the same. */
function typeOf(item: Fields): string {
  return textOf(item['type']).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function noted(item: Fields, type: string): AgentEvent[] {
  const parts = [textOf(item['text']), textOf(item['message']), ...strings(item['summary'])];
  const todo = listOf(item['items']).map(
    (one) => `${one['completed'] === true ? '✓' : '·'} ${textOf(one['text'])}`,
  );
  const text = [...parts, ...todo].filter((part) => part !== '').join('\n');
  if (text === '') return type === 'context_compaction' ? [notice('codex shortened its context')] : [];
  return [notice(type === 'error' ? text : `${type.replaceAll('_', ' ')}: ${text}`)];
}

function nameOf(item: Fields): string {
  switch (typeOf(item)) {
    case 'command_execution':
      return 'shell';
    case 'file_change':
      return 'patch';
    case 'mcp_tool_call':
      return `${textOf(item['server'])}.${textOf(item['tool'])}`;
    case 'dynamic_tool_call':
    case 'collab_agent_tool_call':
    case 'collab_tool_call':
      return textOf(item['tool']);
    default:
      return typeOf(item).replaceAll('_', '-');
  }
}

function summaryOf(item: Fields): string {
  const command = textOf(item['command']);
  if (command !== '') return /^\S*sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;
  const changes = listOf(item['changes']).map((change) => `${kindOf(change)} ${textOf(change['path'])}`);
  if (changes.length > 0) return changes.join(', ');
  if (item['arguments'] !== undefined) return JSON.stringify(item['arguments']) ?? '';
  return textOf(item['query']) || textOf(item['path']) || textOf(item['prompt']);
}

function outcomeOf(item: Fields): { readonly isError: boolean; readonly summary: string } {
  const status = textOf(item['status']) || 'completed';
  const exitCode = item['exitCode'] ?? item['exit_code'];
  const problem = textOf(fieldsOf(item['error'])['message']);
  const isError =
    status === 'failed' ||
    status === 'declined' ||
    problem !== '' ||
    (typeof exitCode === 'number' && exitCode !== 0);
  const output = textOf(item['aggregatedOutput'] ?? item['aggregated_output']).trim();
  const head = typeof exitCode === 'number' ? `exit ${exitCode}` : problem || status;
  return { isError, summary: output === '' ? head : `${head}: ${output}` };
}

function pathsOf(item: Fields): readonly string[] {
  return listOf(item['changes']).flatMap((change) => {
    const moved = textOf(fieldsOf(change['kind'])['move_path']);
    return moved === '' ? [textOf(change['path'])] : [textOf(change['path']), moved];
  });
}

function kindOf(change: Fields): string {
  return textOf(change['kind']) || textOf(fieldsOf(change['kind'])['type']);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
