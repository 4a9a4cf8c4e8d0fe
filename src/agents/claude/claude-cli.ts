// Runs the `claude` program, with JSON lines in both directions.
import { describeProcessEnding } from '#kernel/model/ending.ts';
import { OperatorError } from '#base/operator-error.ts';
import { startClient } from '#agents/shared/client-process.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { argumentsOf, type ClaudeCall } from './claude-call.ts';
import type { ClaudeLink, ClaudeListener } from './claude-session.ts';
import { parseRecord } from '#base/parse-json.ts';

export async function connectCli(call: ClaudeCall, listener: ClaudeListener): Promise<ClaudeLink> {
  const { request, options } = call;
  const lines = createBoundedLines(({ text, cutBytes }) => {
    if (cutBytes > 0) return listener.onComplaint(`a message was ${cutBytes} bytes too long: ${text}`);
    const message = parseRecord(text);
    return message === null ? listener.onComplaint(text) : listener.onMessage(message);
  });
  const running = startClient(request, {
    command: [options.binary, ...argumentsOf(call)],
    env: call.env,
    onOutput: (chunk, stream) =>
      stream === 'stdout' ? lines.add(chunk) : listener.onComplaint(chunk.toString('utf8')),
  });
  if (running.pid === null) throw notStarted(describeProcessEnding(await running.ended));
  const write = (message: object): void => running.write(`${JSON.stringify(message)}\n`);
  return {
    say: (text) => write(userMessage(text)),
    interrupt: async () =>
      write({ type: 'control_request', request_id: 'interrupt', request: { subtype: 'interrupt' } }),
    finish: () => running.closeInput(),
    kill: (reason) => running.kill(reason),
    ended: running.ended.then(async (ending) => {
      await lines.end();
      return ending;
    }),
  };
}

export function userMessage(text: string): object {
  return {
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
  };
}

export function notStarted(reason: string): OperatorError {
  return new OperatorError(
    'agent-not-started',
    `Claude Code could not be started: ${reason.replace(/^could not be started: /, '')}.`,
    'Install it with `npm install -g @anthropic-ai/claude-code`, log in by starting `claude` once, or give its path as "binary" of this agent.',
  );
}
