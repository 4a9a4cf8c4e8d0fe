// All dependencies of the driver.
import type { Event } from '#kernel/events/events.ts';
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
  /** Controls that people send to the run. */
  readonly inbox: Inbox;
  readonly workspace: Workspace;
  /** Runs one check in one checkout. */
  readonly checker: Checker;
  /** Starts and adopts session hosts: the processes in which agents run. */
  readonly sessions: Sessions;
  /** Surveys the repository and reads plans; only in runs that plan. */
  readonly planner?: Planner;
  readonly clock: Clock;
  /** Watches the conditions that a suspended run waits for. */
  readonly lookout: Lookout;
  /** Tells other processes when to wake the run; only where some do. */
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
export type Eyes = Pick<World, 'workspace' | 'checker' | 'clock'> & Partial<Pick<World, 'observers'>>;

/** Is told what happens and changes nothing. Contract: never throws, never waits. */
export interface Observer {
  /** Once, before everything else: the facts that earlier drivers recorded. */
  onReplayed?(events: readonly Event[]): void;
  onEvents?(run: Run, events: readonly Event[]): void;
  /** What an agent prints and does during a session. */
  onChatter?(stepId: string, event: AgentEvent): void;
  /** Trouble worth a line that is no fact of the run, such as a healed journal. */
  onNote?(text: string): void;
}
