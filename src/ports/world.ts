// All dependencies of the driver.
import type { Event } from '#kernel/events/events.ts';
import type { Activity } from '#kernel/model/activity.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AgentEvent } from './agent.ts';
import type { Checker } from './checker.ts';
import type { Clock } from './clock.ts';
import type { Inbox } from './inbox.ts';
import type { Lookout } from './lookout.ts';
import type { Planner } from './planner.ts';
import type { Sessions } from './sessions.ts';
import type { Snapshots } from './store.ts';
import type { WakeEntry } from './wake-list.ts';
import type { Workspace } from './workspace.ts';

export interface World {
  readonly inbox: Inbox;
  readonly workspace: Workspace;
  readonly checker: Checker;
  /** Starts and adopts session hosts: the processes in which agents run. */
  readonly sessions: Sessions;
  /** Surveys the repository and reads plans; only in runs that plan. */
  readonly planner?: Planner;
  readonly clock: Clock;
  /** Watches the conditions that a suspended run waits for. */
  readonly lookout: Lookout;
  /** Informs other processes when to wake the run; absent if there are none. */
  readonly wakeEntry?: WakeEntry;
  /** Kills processes that an earlier driver of this run left alive; returns how many. */
  sweep(): Promise<number>;
  /** The folded run for readers, so that they need not fold the whole journal. */
  readonly snapshots?: Snapshots;
  /** Name of this driver for messages: host and pid. */
  readonly driver: string;
  readonly observers: readonly Observer[];
}

/** What running checks on a tree needs, also without driving a run. */
export type CheckDeps = Pick<World, 'workspace' | 'checker' | 'clock'> & Partial<Pick<World, 'observers'>>;

/** Watches a run and changes nothing. Contract: never throws, never waits. */
export interface Observer {
  /** Called once, before everything else: the facts that earlier drivers recorded. */
  onReplayed?(events: readonly Event[]): void;
  onEvents?(run: Run, events: readonly Event[]): void;
  /** The output and activity of an agent during a session. */
  onChatter?(stepId: string, event: AgentEvent): void;
  /** What takes the time now; several may run at once. Both calls have the same object. */
  onActivity?(activity: Activity, state: 'began' | 'ended'): void;
  /** A problem worth a line that is no fact of the run, such as a repaired journal. */
  onNote?(text: string): void;
}
