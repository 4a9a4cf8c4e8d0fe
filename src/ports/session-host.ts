// The messages on the pipe between a driver and a session host: one JSON document per line, both ways.
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { SessionResult, Steer } from '#kernel/model/step.ts';
import type { AgentEvent, AgentSpec } from './agent.ts';
import type { SandboxOrder } from './sandbox.ts';
import type { SessionStep } from './sessions.ts';

/** The first line that a host reads. The host may have been started long before. */
export interface HostOrder {
  readonly type: 'order';
  readonly runId: string;
  readonly epoch: number;
  readonly step: SessionStep;
  readonly cwd: string;
  readonly agent: AgentSpec;
  readonly knowledge: AgentKnowledge;
  /** The agent's whole environment. */
  readonly env: { readonly [name: string]: string };
  readonly confine: 'auto' | 'marker';
  /** The programs that the driver tried, by trial; null for one that does not work. Absent in older orders. */
  readonly tried?: { readonly [trial: string]: string | null };
  /** Wraps the client and its descendants; absent if the client runs with the user's rights. */
  readonly sandbox?: SandboxOrder;
  /** Absolute paths. */
  readonly logFile: string;
  readonly receiptFile: string;
  /** Plain data, passed through to the code that reads the tree at the end. */
  readonly worktree: unknown;
}

/** Sent after the order. The end of the pipe means that the driver is gone. */
export type HostControl = { readonly type: 'steer'; readonly steer: Steer };

export type HostFrame =
  /** Throttled and cut short: shown, never recorded. */
  | { readonly type: 'chatter'; readonly event: AgentEvent }
  /** Sent once, when the receipt is on disk and no process of the session is alive. */
  | { readonly type: 'ended'; readonly result: SessionResult };

/** One line of a session log. `session-started` is the first, `session-ended` the last. */
export type LogLine = { readonly at: number } & (
  | AgentEvent
  | {
      readonly type: 'session-started';
      readonly stepId: string;
      readonly role: string;
      readonly agent: string;
      readonly driver: string;
      readonly model: string | null;
      readonly reportsUsage: boolean;
      readonly prompt: string;
    }
  /**
   * The agent's result, written as soon as it is known: enough to adopt the session. Its processes may still
   * run, its tree is not yet read. The agent's output is inside JSON strings, so it cannot imitate this line.
   */
  | { readonly type: 'agent-ended'; readonly stepId: string; readonly result: SessionResult }
  | { readonly type: 'session-ended'; readonly stepId: string; readonly result: SessionResult }
);
