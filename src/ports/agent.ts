// The interface of every coding agent. An adapter (its `driver`) runs inside the session host, the process
// that keeps the limits of one session; an optional feature is an optional method.
import type { SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { Usage } from '#kernel/model/budget.ts';
import type { Processes } from './processes.ts';

/** The configuration of an agent: plain data, frozen with the run. The adapter checks `options`. */
export interface AgentSpec {
  readonly driver: string;
  readonly options: { readonly [key: string]: unknown };
}

export interface Agent {
  readonly driver: string;
  /** False if the client never reports tokens or cost. Its usage is then unknown, not zero. */
  readonly reportsUsage: boolean;
  readonly resumes: Resumes;
  /**
   * Contract: resolves when the session takes its first turn; rejects with an OperatorError if the client is
   * missing or misconfigured. Starts at most one client, which never outlives `close`.
   */
  start(request: SessionRequest): Promise<AgentSession>;
}

/** Whether a later session can continue a conversation by its id. `where-offered`: each session says so. */
export type Resumes = 'by-id' | 'where-offered' | 'no';

export interface SessionRequest {
  readonly role: string;
  readonly model: string | null;
  readonly cwd: string;
  readonly prompt: string;
  readonly readOnly: boolean;
  /**
   * The client's own id of a conversation to continue. Contract: if the client cannot continue it, the
   * session ends as `failed` with `conversation-gone`; it never begins a new conversation instead.
   */
  readonly resume: string | null;
  readonly env: { readonly [name: string]: string };
  /** Limits that a client may keep by itself; the host enforces them in any case. */
  readonly wallMs: number;
  readonly graceMs: number;
  readonly usdMax: number;
  readonly tokensMax: number;
  /** Prices and wordings of usage limits, from the settings. */
  readonly knowledge: AgentKnowledge;
  /** `<runId>/<stepId>`. The adapter starts every process through `processes` with this mark. */
  readonly mark: string;
  readonly processes: Processes;
  /** Called at every sign of life, to reset the idle limit. Output of `processes` does so by itself. */
  onOutput?(): void;
}

export interface AgentSession {
  /**
   * Contract: every message in order; ends when the session has ended. Only one reader.
   * A slow reader slows the client down (back-pressure); nothing is dropped.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /**
   * The client's terminal result as soon as it is read, or how its program exited; its processes may still
   * run. Contract: settles after every earlier event was read; never rejects. Absent if `result` is as early.
   */
  readonly concluded?: Promise<AgentResult>;
  /** Contract: settles after `events` ended, never rejects; `finished` only if the final result was read. */
  readonly result: Promise<AgentResult>;
  /** Only for `where-offered` agents: whether this client can continue the conversation later. */
  readonly isResumable?: boolean;
  send?(text: string): Promise<void>;
  /** Stops the turn so that a later session can resume by its id; `result` is then `interrupted`. */
  interrupt?(): Promise<void>;
  /** Ends the client and all its processes. Safe to call at any time and more than once. */
  close(reason: string): Promise<void>;
}

export type AgentEvent =
  /** Text of the assistant itself, in pieces of any size. Only this text is searched for markers. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly summary: string }
  | { readonly type: 'tool-result'; readonly id: string; readonly isError: boolean; readonly summary: string }
  /** Cumulative since the session began. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The client's own id of the conversation, as soon as it is known; a later event replaces it. */
  | { readonly type: 'session-id'; readonly id: string }
  /** Standard error, retries, anything else worth a log line. */
  | { readonly type: 'notice'; readonly text: string };

export type AgentResult = {
  readonly usage: Usage;
  readonly model: string | null;
} & (
  | { readonly kind: 'finished' }
  | { readonly kind: 'interrupted'; readonly resumeId: string }
  | { readonly kind: 'crashed'; readonly detail: string }
  | {
      readonly kind: 'failed';
      readonly errorClass: SessionErrorClass;
      readonly detail: string;
      readonly resetAt?: number;
    }
);
