// A model that plays the action loop by its input: it answers each turn from the state in the message alone, so that a
// session which is repeated after a kill, resumed or started again does the same work and reports the same.
import type { Answer } from '#test/agents/fake-endpoint.ts';
import { say, sendJson } from '#test/agents/fake-endpoint.ts';
import type { Message } from '#agents/openai/chat.ts';
import { report } from './loop-agents.ts';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

const files = ['one.txt', 'two.txt', 'done.txt'];
const parts = files.map((file, index): Part => ({
  id: `t${index}`,
  title: `write ${file}`,
  status: 'pending',
}));

export const modelFlags = ['--preset', 'actions', '--verifier', 'none', '--agent', 'mine'];

export type Stage = 'middle of a turn' | 'last answer of a turn';

/** `before`: called before each answer; it goes out when the promise is settled. */
export function turnModel(before: (stage: Stage) => Promise<void> = async () => {}): Answer {
  return async ({ messages }, response) => {
    const broken = unanswered(messages);
    if (broken !== null) return sendJson(response, 400, { error: { message: broken } });
    const isLast = messages.at(-1)?.role === 'tool';
    await before(isLast ? 'last answer of a turn' : 'middle of a turn');
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const action = /^## This turn: (\w+)$/m.exec(asked)?.[1] ?? 'INIT';
    if (action === 'INIT')
      return isLast
        ? say(response, { text: report({ action, message: 'I read it.', state: { tasks: parts } }) })
        : say(response, { calls: [['run', { command: 'ls' }]] });
    const tasks = tasksIn(asked);
    const open = tasks.find(({ status }) => status !== 'done');
    const file = open?.title.replace('write ', '') ?? 'done.txt';
    if (!isLast) return say(response, { calls: [['write', { path: file, content: 'right\n' }]] });
    const state = { tasks: tasks.map((task) => (task.id === open?.id ? { ...task, status: 'done' } : task)) };
    return say(response, { text: report({ action, message: `wrote ${file}`, state, files: [file] }) });
  };
}

/** Of the state as the message shows it. */
function tasksIn(asked: string): readonly Part[] {
  const block = /^`{3,}\w*\n(\{[\s\S]*?\n\})\n`{3,}/m.exec(asked)?.[1] ?? '{}';
  return (JSON.parse(block) as { tasks?: Part[] }).tasks ?? [];
}

/** Real endpoints refuse a conversation in which a call is not followed by its result. */
function unanswered(messages: readonly Message[]): string | null {
  for (const [index, one] of messages.entries()) {
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
    const after = messages.slice(index + 1, index + 1 + calls.length);
    const results = after.map((next) => (next.role === 'tool' ? next.tool_call_id : null));
    const open = calls.find(({ id }) => !results.includes(id));
    if (open !== undefined) return `the call ${open.id} is not followed by its result`;
  }
  return null;
}
