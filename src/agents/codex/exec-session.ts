// Runs a session through `codex exec --json`, for profiles and old versions: no steering, no interrupt.
import { stripVTControlCharacters } from 'node:util';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import { unknownUsage } from '#kernel/model/budget.ts';
import type { AgentEvent, AgentResult, AgentSession, SessionRequest } from '#ports/agent.ts';
import { closeClient, startClient } from '#agents/shared/client-process.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { openCounterFile } from '#agents/shared/counter-file.ts';
import { createEventQueue, type EventQueue } from '#agents/shared/event-queue.ts';
import type { TokenCount } from '#agents/shared/pricing.ts';
import { notice } from './codex-items.ts';
import { cut } from '#agents/shared/client-words.ts';
import { configFlags, limitsOf, settingsOf } from './config-flags.ts';
import type { CodexOptions } from './codex-options.ts';
import { countsOf, noTokens, readCounts, since, usageOf } from './codex-usage.ts';
import { createCodexLineReader, outcomeOf, type CodexOutputState } from './exec-lines.ts';
import { goneWords, lostThread, sandboxOf } from './open-thread.ts';
import { withExecKey } from './key-provider.ts';
import { notStarted } from './start-problem.ts';

export async function startExec(
  options: CodexOptions,
  request: SessionRequest,
  notices: readonly string[],
): Promise<AgentSession> {
  const counter = openCounterFile(request.env, 'codex');
  const before = request.resume === null ? null : readCounts(await counter.read(request.resume));
  const queue = createEventQueue();
  const output = createOutputReader(queue);
  for (const text of notices) void queue.push(notice(text));
  const running = startClient(request, {
    command: execCommand(options, request),
    env: withExecKey(request.env),
    input: request.prompt,
    onOutput: output.onOutput,
  });
  if (running.pid === null) {
    const ending = await running.ended;
    throw notStarted({ error: null, options, ending, complaint: output.complaint() });
  }
  const resultAfter = (ending: ProcessEnding): AgentResult =>
    resultOf(ending, output.heard(), { request, before, complaint: output.complaint().trim() });
  const counted = running.exited.then(async () => {
    await output.end();
    const { threadId, tokens } = output.heard();
    if (threadId !== null && tokens !== null) await counter.keep(threadId, countsOf(tokens));
  });
  const concluded = running.exited.then(async (ending) => {
    await counted;
    await queue.allRead();
    return resultAfter(ending);
  });
  const result = running.ended.then(async (ending) => {
    await counted;
    await output.end();
    const outcome = resultAfter(ending);
    if (outcome.usage.tokens !== null) void queue.push({ type: 'usage', usage: outcome.usage });
    queue.end();
    await queue.done;
    return outcome;
  });
  return { events: queue.events, concluded, result, close: closeClient(running, queue) };
}

/** Standard output becomes events; the end of standard error is kept as the reason for a failure. */
function createOutputReader(queue: EventQueue) {
  const reader = createCodexLineReader();
  let complaint = '';
  const push = async (events: readonly AgentEvent[]): Promise<void> => {
    for (const event of events) await queue.push(event);
  };
  const lines = createBoundedLines(({ text, cutBytes }) =>
    push(cutBytes > 0 ? [notice(`a line was too long to read: ${cut(text, 200)}`)] : reader.onLine(text)),
  );
  return {
    onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void> => {
      if (stream === 'stdout') return lines.add(chunk);
      const text = stripVTControlCharacters(chunk.toString('utf8'));
      complaint = (complaint + text).slice(-500);
      return push([notice(text)]);
    },
    /** Reads the text after the last line end. */
    end: (): Promise<void> => lines.end(),
    heard: (): CodexOutputState => reader.state(),
    complaint: (): string => complaint,
  };
}

export function execCommand(options: CodexOptions, request: SessionRequest): [string, ...string[]] {
  const provider = options.config['model_provider'];
  const limits = limitsOf(provider, settingsOf(options.config, provider));
  return [
    options.binary,
    'exec',
    '--json',
    '--skip-git-repo-check',
    '-s',
    sandboxOf(options, request),
    ...(options.profile === null ? [] : ['-p', options.profile]),
    ...(request.model === null ? [] : ['-m', request.model]),
    ...configFlags({ ...limits, ...options.config }),
    ...(request.resume === null ? [] : ['resume', request.resume]),
    '-',
  ];
}

interface ExecContext {
  readonly request: SessionRequest;
  /** The last known usage of the thread; null if unknown. */
  readonly before: TokenCount | null;
  readonly complaint: string;
}

function resultOf(
  ending: ProcessEnding,
  state: CodexOutputState,
  { request, before, complaint }: ExecContext,
): AgentResult {
  const { knowledge, model } = request;
  const usage =
    state.tokens === null ? unknownUsage : usageOf(knowledge, model, since(before ?? noTokens, state.tokens));
  const outcome = { usage, model };
  // Before it has a thread, codex reports a missing one on standard error only.
  if (request.resume !== null && state.threadId === null && state.end === null && goneWords.test(complaint))
    return { ...outcome, ...lostThread(complaint, request), usage: { usd: 0, tokens: 0 } };
  return { ...outcome, ...outcomeOf(state, { ending, complaint, knowledge }) };
}
