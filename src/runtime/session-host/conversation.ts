// The live part of a session: from the agent's start to its end, or to the first cause that ends it.
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { Steer } from '#kernel/model/step.ts';
import type { Agent, AgentEvent, AgentResult, AgentSession } from '#ports/agent.ts';
import type { HostOrder } from '#ports/session-host.ts';
import { createSignalReader } from '#policies/signals/signals.ts';
import type { SignalReader } from '#policies/signals/signals.ts';
import { createChatter } from './chatter.ts';
import { createEventRedactor } from './redact-events.ts';
import { requestOf } from './host-world.ts';
import type { HostWorld } from './host-world.ts';
import { createLimits } from './limits.ts';
import type { LastOutput } from './limits.ts';
import { overLimit, sentenceOf } from './outcome-of-session.ts';
import { canResume, createResumePoint } from './resume-point.ts';
import type { ResumePoint } from './resume-point.ts';

export interface Conversation {
  /**
   * Resolves when the agent has ended or was given up; rejects if it could not start. `onResult` is called
   * once, as soon as the agent's own result is known: its processes may still be alive.
   */
  hold(agent: Agent, onResult: () => void): Promise<void>;
  steer(steer: Steer): void;
  readonly end: (cause: SessionEnding, reason: string) => void;
  readonly state: ConversationState;
  signal(): Signal | null;
}

export interface ConversationState {
  /** Why we ended it. The first cause wins, and the agent's own result is one. */
  readonly cause: SessionEnding | null;
  readonly isStarted: boolean;
  readonly result: AgentResult | null;
  readonly usage: Usage | null;
  /** The id that lets a later session continue the conversation; null if none can. */
  readonly resumeId: string | null;
  /** The ending of an interrupted turn, if its time was over. */
  readonly interruptedAs: SessionEnding | null;
}

const unseen: ConversationState = {
  cause: null,
  isStarted: false,
  result: null,
  usage: null,
  resumeId: null,
  interruptedAs: null,
};

/** An adapter that does not end its session in this time is abandoned; the sweep ends its processes. */
const closeMsMax = 15_000;

export function createConversation(order: HostOrder, world: HostWorld): Conversation {
  const { deed } = order.step;
  const reader = createSignalReader(deed.words);
  const state: Writable<ConversationState> = { ...unseen };
  let session: AgentSession | null = null;
  const lastOutput: LastOutput = { at: 0 };
  const onOutput = (): void => {
    lastOutput.at = performance.now();
  };
  const early: Steer[] = [];
  const { end, abandoned } = createEnd(state, deed.limits.graceMs, () => session);
  const interrupt = createInterrupt(state);

  const begin = async (agent: Agent, onResult: () => void): Promise<void> => {
    // From here on it may have cost something; only a rejected start shows that it did not.
    state.isStarted = true;
    const living = await agent.start(requestOf(order, world.processes, onOutput)).catch((error: unknown) => {
      state.isStarted = false;
      throw error;
    });
    session = living;
    if (state.cause !== null) return living.close('it was ended before it began');
    for (const steer of early.splice(0)) obey(living, steer, interrupt);
    const onConcluded = (result: AgentResult): void => {
      const isFirst = state.result === null;
      conclude(state, result);
      if (isFirst && state.result !== null) onResult();
    };
    const note = createResumeNote(canResume(agent, living) ? createResumePoint(deed.resume) : null, state);
    onConcluded(
      await follow(living, { order, world, reader, state, lastOutput, end, onConcluded, note, interrupt }),
    );
  };

  return {
    hold: async (agent, onResult) => {
      if (state.cause !== null) return;
      const { wallMs } = deed.limits;
      const onLate = (): void => {
        if (session === null) end({ kind: 'timed-out', limit: 'wall', afterMs: wallMs }, 'it did not start');
      };
      const tooLate = setTimeout(onLate, Math.min(wallMs, 2 ** 31 - 1));
      await Promise.race([begin(agent, onResult), abandoned]).finally(() => clearTimeout(tooLate));
    },
    steer: (steer) => {
      if (steer.kind === 'kill') end({ kind: 'cancelled', reason: steer.reason }, steer.reason);
      else if (session === null) early.push(steer);
      else obey(session, steer, interrupt);
    },
    end,
    state,
    signal: () => (session === null ? null : reader.end()),
  };
}

/** Ends the session once. `givenUp` resolves when the agent's time to end is over, or if it never began. */
function createEnd(
  state: Writable<ConversationState>,
  graceMs: number,
  sessionNow: () => AgentSession | null,
): { readonly end: Conversation['end']; readonly abandoned: Promise<void> } {
  const abandoned = Promise.withResolvers<void>();
  let isClosing = false;
  const end = (cause: SessionEnding, reason: string): void => {
    if (isClosing) return;
    isClosing = true;
    // After its result the agent only has to exit: ending it sooner changes nothing.
    if (state.result === null) state.cause = cause;
    const session = sessionNow();
    session?.close(reason).catch(() => {});
    if (session === null) abandoned.resolve();
    else setTimeout(() => abandoned.resolve(), graceMs + closeMsMax).unref();
  };
  return { end, abandoned: abandoned.promise };
}

type Interrupt = (session: AgentSession, as: SessionEnding | null) => void;

/** Interrupts once per session: some clients never answer a second interrupt of the same turn. */
function createInterrupt(state: Writable<ConversationState>): Interrupt {
  let isDone = false;
  return (session, as) => {
    if (isDone || state.result !== null || session.interrupt === undefined) return;
    isDone = true;
    state.interruptedAs = as;
    session.interrupt().catch(() => {
      if (state.result !== null) return;
      isDone = false;
      state.interruptedAs = null;
    });
  };
}

function createResumeNote(
  point: ResumePoint | null,
  state: Writable<ConversationState>,
): (event: AgentEvent) => void {
  return (event) => {
    point?.onEvent(event);
    state.resumeId = point?.id() ?? null;
  };
}

type Writable<T> = { -readonly [key in keyof T]: T[key] };

/** An agent whose final result arrives after we began to cancel it has still finished. */
function conclude(state: Writable<ConversationState>, result: AgentResult): void {
  if (state.cause?.kind === 'cancelled' && result.kind === 'finished') state.cause = null;
  if (state.cause !== null) return;
  // A later result knows more about usage, but never changes how the session ended.
  const isKept = state.result !== null && state.result.kind !== result.kind;
  state.result = isKept && state.result !== null ? { ...state.result, usage: result.usage } : result;
}

interface Listening {
  readonly order: HostOrder;
  readonly world: HostWorld;
  readonly reader: SignalReader;
  readonly state: Writable<ConversationState>;
  readonly lastOutput: LastOutput;
  readonly end: Conversation['end'];
  readonly onConcluded: (result: AgentResult) => void;
  /** Sees every event before it is redacted. */
  readonly note: (event: AgentEvent) => void;
  readonly interrupt: Interrupt;
}

/** Sends every event to the log and to the signal reader, and some to the driver. */
async function follow(session: AgentSession, listening: Listening): Promise<AgentResult> {
  const { order, world, lastOutput, end, onConcluded, note, interrupt } = listening;
  const chatter = createChatter((event) => world.send({ type: 'chatter', event }));
  const redactor = createEventRedactor(world.redactor);
  const hear = (events: readonly AgentEvent[]): void => {
    for (const event of events) {
      log(event, listening);
      read(event, listening);
      chatter.onEvent(event);
    }
  };
  void session.concluded?.then((result) => {
    hear(redactor.end());
    onConcluded(result);
  });
  const notify = (text: string): void => hear([{ type: 'notice', text: world.redactor.redact(text) }]);
  const limits = createLimits({
    session,
    limits: order.step.deed.limits,
    lastOutput,
    end,
    notify,
    interrupt: (as) => interrupt(session, as),
  });
  try {
    for await (const event of session.events) {
      limits.onEvent(event);
      note(event);
      hear(redactor.onEvent(event));
    }
  } catch (error) {
    end({ kind: 'cancelled', reason: `its events could not be read: ${sentenceOf(error)}` }, 'no events');
  }
  hear(redactor.end());
  limits.stop();
  chatter.stop();
  return session.result;
}

/** A session without a log is ended; its further events are read, because it may have finished. */
function log(event: AgentEvent, { world, end }: Listening): void {
  try {
    world.log.write({ at: world.now(), ...event });
  } catch (error) {
    end({ kind: 'cancelled', reason: `its log could not be written: ${sentenceOf(error)}` }, 'no log');
  }
}

function read(event: AgentEvent, { order, reader, state, end }: Listening): void {
  if (event.type === 'text') reader.onText(event.text);
  else if (event.type === 'tool-call') reader.onToolCall();
  else if (event.type === 'usage') {
    state.usage = event.usage;
    const limit = overLimit(event.usage, order.step.reserve);
    if (limit !== null) end({ kind: 'over-limit', limit }, `it exceeded its ${limit} limit`);
  }
}

/** A request that the agent does not support is dropped; the agent then ends by itself. */
function obey(session: AgentSession, steer: Steer, interrupt: Interrupt): void {
  if (steer.kind === 'interrupt') interrupt(session, null);
  else if (steer.kind === 'text') session.send?.(steer.text).catch(() => {});
}
