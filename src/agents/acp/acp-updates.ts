// Turns the agent's updates into session events; updates before the session begins are history and skipped.
import type { Usage } from '#kernel/model/budget.ts';
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import { createEventQueue, type EventQueue } from '#agents/shared/event-queue.ts';
import { createUsageCount } from './count-usage.ts';
import { createTranslator, type Translator } from './translate-update.ts';
import { fieldsOf, type Fields } from '#agents/shared/json.ts';

export interface AcpUpdates {
  readonly queue: EventQueue;
  readonly translator: Translator;
  /** From here on updates are new; `costBefore` is the known cost of the conversation until now. */
  begin(sessionId: string, costBefore: number | null): void;
  readonly emit: (events: readonly AgentEvent[]) => Promise<void>;
  /** The parameters of `session/update`. Updates of the agent's other sessions are dropped. */
  onUpdate(params: Fields): Promise<void>;
  onReply(reply: Fields): Promise<void>;
  /** Text outside the protocol. */
  onAside(text: string): Promise<void>;
  readonly usage: () => Usage;
  /** The agent's own sum, over the whole conversation. */
  readonly costSoFar: () => number | null;
  /** The newest text outside the protocol: the reason for a crash is there, if anywhere. */
  complaint(): string;
  /** On the clock of `performance.now()`. */
  lastUpdateAt(): number;
}

/** Limit of events kept before the session has a reader. */
const earlyMax = 100;
const complaintMax = 500;

export function createAcpUpdates({
  knowledge,
  model,
}: Pick<SessionRequest, 'knowledge' | 'model'>): AcpUpdates {
  const queue = createEventQueue();
  const translator = createTranslator();
  const count = createUsageCount(knowledge, model);
  let isNews = false;
  let ours = '';
  let early = 0;
  let lastUpdateAt = performance.now();
  let complaint = '';

  const emit = async (events: readonly AgentEvent[]): Promise<void> => {
    for (const event of events) {
      if (isNews) await queue.push(event);
      else if (early < earlyMax) void queue.push(event);
      early += 1;
    }
  };
  const emitUsage = (usage: Usage | null): Promise<void> =>
    emit(usage === null || !isNews ? [] : [{ type: 'usage', usage }]);

  return {
    queue,
    translator,
    begin: (id, costBefore) => {
      count.begin(costBefore);
      ours = id;
      void queue.push({ type: 'session-id', id });
      isNews = true;
    },
    emit,
    onUpdate: ({ sessionId, update: received }) => {
      lastUpdateAt = performance.now();
      if (isNews && sessionId !== ours) return emit([]);
      const update = fieldsOf(received);
      if (update['sessionUpdate'] === 'usage_update') return emitUsage(count.onUpdate(update));
      return emit(isNews ? translator.update(update) : []);
    },
    onReply: (reply) => emitUsage(count.onReply(reply)),
    onAside: (text) => {
      complaint = (complaint + text).slice(-complaintMax);
      return emit([{ type: 'notice', text }]);
    },
    usage: count.usage,
    costSoFar: count.costSoFar,
    complaint: () => complaint.trim(),
    lastUpdateAt: () => lastUpdateAt,
  };
}
