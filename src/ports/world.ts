// Everything a driver needs, in one hand.
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
  readonly inbox: Inbox;
  readonly workspace: Workspace;
  readonly checker: Checker;
  readonly sessions: Sessions;
  /** Only where runs plan. */
  readonly planner?: Planner;
  readonly clock: Clock;
  readonly lookout: Lookout;
  /** Only where other processes wake runs. */
  readonly wakeEntry?: WakeEntry;
  /** Kills what an earlier driver of this run left alive; returns how many. */
  sweep(): Promise<number>;
  readonly snapshots?: Snapshots;
  /** Name of this driver for messages: host and pid. */
  readonly driver: string;
  readonly observers: readonly Observer[];
}

/** What looking at a tree needs: enough to check it again without driving a run. */
export type Eyes = Pick<World, 'workspace' | 'checker' | 'clock'> & Partial<Pick<World, 'observers'>>;

/** Sees what happens; can change nothing. Contract: never throws, never waits. */
export interface Observer {
  /** Once, before everything else: the facts that earlier drivers recorded. */
  onReplayed?(events: readonly Event[]): void;
  onEvents?(run: Run, events: readonly Event[]): void;
  onChatter?(stepId: string, event: AgentEvent): void;
  /** Trouble worth a line that is no fact of the run, such as a healed journal. */
  onNote?(text: string): void;
}
