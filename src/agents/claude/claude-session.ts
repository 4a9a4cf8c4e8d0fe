// Runs one session over either connection: its messages in order, its end, and messages to it.
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentResult, AgentSession } from '#ports/agent.ts';
import { closeClient } from '#agents/shared/client-process.ts';
import { createEventQueue, type EventQueue } from '#agents/shared/event-queue.ts';
import { hasBackgroundTasks, type ClaudeCall } from './claude-call.ts';
import { endingOf } from './claude-ending.ts';
import { createClaudeState, hear, type ClaudeState } from './claude-state.ts';
import { bounded, numberOf, type Fields } from '#agents/shared/json.ts';
import { withoutStartupNoise } from './startup-noise.ts';
import { translateMessage } from './translate-message.ts';

export interface ClaudeLink {
  say(text: string): void;
  interrupt(): Promise<void>;
  /** No more messages follow: the client exits after its answer. */
  finish(): void;
  kill(reason: string): void;
  /** Settles when every message was delivered and no process of the client is alive. */
  readonly ended: Promise<ProcessEnding>;
}

export interface ClaudeListener {
  /** Contract: waits while the reader of the session is behind. */
  onMessage(message: Fields): void | Promise<void>;
  /** Anything outside the protocol. */
  onComplaint(text: string): void | Promise<void>;
}

/** Contract: rejects with an OperatorError when the client is not there. */
export type ClaudeConnect = (call: ClaudeCall, listener: ClaudeListener) => Promise<ClaudeLink>;

const complaintMax = 2_000;
/** The client gave its final answer: the way its process ends no longer matters. */
const answered: ProcessEnding = { kind: 'exited', code: 0 };

export async function holdSession(call: ClaudeCall, connect: ClaudeConnect): Promise<AgentSession> {
  const { request, options } = call;
  const queue = createEventQueue();
  const state = createClaudeState(request.knowledge, request.resume !== null);
  const progress = { isInterrupted: false, isFinished: false };
  const writer = createEventWriter(queue, state);
  const farewell = createFarewell(call, () => link, progress);
  const concluded = Promise.withResolvers<AgentResult>();
  const resultBy = (ending: ProcessEnding): AgentResult => {
    const { isInterrupted } = progress;
    const wantsOutput = options.outputSchema !== null;
    const { knowledge } = request;
    const result = endingOf({ state, ending, isInterrupted, wantsOutput, knowledge, now: Date.now() });
    return { ...result, usage: state.usage.usage(), model: state.model ?? request.model };
  };
  const conclude = (ending: ProcessEnding): void => {
    const result = resultBy(ending);
    void queue.allRead().then(() => concluded.resolve(result));
  };
  const link = await connect(call, {
    onMessage: async (message) => {
      farewell.postpone();
      await writer.onMessage(message);
      if (message['type'] !== 'result') return;
      // A message sent meanwhile gets its own turn and its own result.
      if (numberOf(message['queued_turn_count']) > 0 && !progress.isInterrupted) return;
      progress.isFinished = true;
      conclude(answered);
      farewell.begin();
    },
    onComplaint: (text) => writer.onComplaint(text),
  });
  link.say(request.prompt);

  const ended = link.ended.then((ending): AgentResult => {
    farewell.stop();
    conclude(ending);
    queue.end();
    return resultBy(ending);
  });
  return {
    events: queue.events,
    concluded: concluded.promise,
    result: ended,
    send: async (text) => {
      refuseLateWords(progress);
      link.say(text);
    },
    interrupt: async () => {
      if (progress.isFinished) return;
      progress.isInterrupted = true;
      await link.interrupt();
    },
    close: closeClient(link, queue),
  };
}

function createEventWriter(queue: EventQueue, state: ClaudeState): ClaudeListener {
  let sessionId = '';
  return {
    onMessage: async (message) => {
      const isUsageNew = hear(state, message);
      for (const event of translateMessage(message)) {
        // The client introduces itself again at every turn.
        if (event.type === 'session-id') {
          if (event.id === sessionId) continue;
          sessionId = event.id;
        }
        await queue.push(event);
      }
      if (isUsageNew) await queue.push({ type: 'usage', usage: state.usage.usage() });
      if (message['type'] !== 'result') return;
      const output = message['structured_output'];
      if (output !== undefined) await queue.push({ type: 'text', text: `${JSON.stringify(output)}\n` });
    },
    onComplaint: async (complaint) => {
      const text = withoutStartupNoise(complaint);
      if (text === '') return;
      state.complaint = (state.complaint + text).slice(-complaintMax);
      await queue.push({ type: 'notice', text: bounded(text, complaintMax) });
    },
  };
}

/** After an interrupt the client would take a message for the prompt of another turn. */
function refuseLateWords(progress: { readonly isFinished: boolean; readonly isInterrupted: boolean }): void {
  if (progress.isFinished) throw new Error('the session has given its final answer');
  if (progress.isInterrupted) throw new Error('the session is being interrupted');
}

/** After its final answer a client should exit; one that stays is ended. */
function createFarewell(
  call: ClaudeCall,
  link: () => ClaudeLink,
  progress: { readonly isInterrupted: boolean },
) {
  let timer: NodeJS.Timeout | null = null;
  let isBegun = false;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const wait = (): void => {
    stop();
    if (hasBackgroundTasks(call)) return;
    timer = setTimeout(() => link().kill('it stayed after its final answer'), call.request.graceMs);
  };
  return {
    begin: (): void => {
      if (!isBegun) link().finish();
      isBegun = true;
      wait();
    },
    postpone: (): void => {
      // After an interrupt, an earlier message may run as a turn that is not read.
      if (isBegun && !progress.isInterrupted) wait();
    },
    stop,
  };
}
