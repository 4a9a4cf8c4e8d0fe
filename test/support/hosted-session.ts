// For tests of the host: a session whose agent the test controls, in a world that only records.
import { setTimeout as sleep } from 'node:timers/promises';
import { createEventQueue } from '#agents/shared/event-queue.ts';
import { createRedactor } from '#config/redact.ts';
import type { Agent, AgentEvent, AgentResult, AgentSession } from '#ports/agent.ts';
import type { HostFrame, HostOrder, LogLine } from '#ports/session-host.ts';
import type { Receipt } from '#ports/sessions.ts';
import { hostSession } from '#runtime/session-host/host-session.ts';
import type { SessionLimits } from '#kernel/model/budget.ts';

export const tree = 'a'.repeat(40);

export function orderOf(limits: Partial<SessionLimits> = {}): HostOrder {
  return {
    type: 'order',
    runId: 'run',
    epoch: 3,
    cwd: '/',
    agent: { driver: 'test', options: {} },
    env: { A: 'b' },
    knowledge: { prices: {}, usageLimitWordings: [] },
    confine: 'marker',
    logFile: '/logs/builder_001.jsonl',
    receiptFile: '/receipts/1',
    worktree: null,
    step: {
      stepId: '0001',
      taskId: 't',
      baseTree: tree,
      reserve: { sessions: 1, usd: 1, tokens: 1000 },
      deed: {
        kind: 'session',
        role: 'builder',
        attempt: 1,
        ordinal: 7,
        agent: { name: 'a', model: 'm' },
        prompt: 'do it',
        readOnly: false,
        words: { done: '==DONE==', reportTag: null },
        resume: null,
        limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 50, ...limits },
      },
    },
  };
}

/** An agent in our hands: what it says and how it ends is up to the test. */
export function createPuppet(features: { send?: boolean; interrupt?: boolean } = {}) {
  const queue = createEventQueue();
  const result = Promise.withResolvers<AgentResult>();
  const concluded = Promise.withResolvers<AgentResult>();
  const heard: string[] = [];
  const closed: string[] = [];
  const told = { usage: { usd: null, tokens: null }, model: null };
  const end = (last: AgentResult): void => {
    queue.end();
    result.resolve(last);
  };
  const session: { -readonly [key in keyof AgentSession]: AgentSession[key] } = {
    events: queue.events,
    concluded: concluded.promise,
    result: result.promise,
    close: async (reason) => {
      closed.push(reason);
      end({ ...told, kind: 'crashed', detail: 'closed' });
    },
    ...(features.send === true && {
      send: async (text: string) => {
        heard.push(text);
      },
    }),
    ...(features.interrupt === true && {
      interrupt: async () => end({ ...told, kind: 'interrupted', resumeId: 'r-1' }),
    }),
  };
  const agent: Agent = { driver: 'test', reportsUsage: true, resumes: 'by-id', start: async () => session };
  const say = (...events: AgentEvent[]): void => {
    for (const event of events) void queue.push(event);
  };
  return {
    agent,
    session,
    say,
    end,
    heard,
    closed,
    finish: () => end({ ...told, kind: 'finished' }),
    /** Its result is known, and its processes are still alive. */
    conclude: async (last: Partial<AgentResult> = {}) => {
      await queue.allRead();
      concluded.resolve({ ...told, kind: 'finished', ...last } as AgentResult);
      await sleep(0);
    },
  };
}

export function createWorld(createAgent: () => Promise<Agent>) {
  const lines: LogLine[] = [];
  const frames: HostFrame[] = [];
  const receipts: Receipt[] = [];
  const swept: string[] = [];
  const kept: string[] = [];
  const order: string[] = [];
  return {
    lines,
    frames,
    receipts,
    swept,
    kept,
    order,
    createAgent,
    redactor: createRedactor({ AGENT_KEY: 'hush-hush-hush' }),
    processes: {
      start: () => {
        throw new Error('the puppet starts nothing');
      },
      // Both take a while: nothing may follow before they are done.
      sweep: async (prefix: string) => {
        swept.push(prefix);
        await sleep(1);
        order.push('sweep');
        return [];
      },
      isRoot: false,
      confinement: { kind: 'marker' as const, promise: '' },
    },
    log: {
      write: (line: LogLine): void => {
        lines.push(line);
      },
      close: () => {},
    },
    snapshot: async () => {
      order.push('snapshot');
      return tree;
    },
    keep: async (_: string, name: string) => {
      kept.push(name);
    },
    saveReceipt: async (receipt: Receipt) => {
      await sleep(1);
      order.push('receipt');
      receipts.push(receipt);
    },
    send: (frame: HostFrame) => {
      if (frame.type === 'ended') order.push('told');
      frames.push(frame);
    },
    now: () => 5,
  };
}

export function host(puppet: ReturnType<typeof createPuppet>, limits: Partial<SessionLimits> = {}) {
  const world = createWorld(async () => puppet.agent);
  return { world, hosted: hostSession(orderOf(limits), world) };
}
