// The run as its facts made it. `apply` folds one fact in place; replay folds them all.
import type { BudgetLimits, Ledger } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { ControlRequest } from '#kernel/events/control.ts';
import type { Proposal, RecordedChange } from './criteria-change.ts';
import type { Evidence, Purpose } from '#kernel/model/criterion.ts';
import type { ProviderTrouble } from '#kernel/waiting/setback.ts';
import type { Fork } from './apply-fork.ts';
import type { Cleaning } from './after-end.ts';
import type { Acceptance, Previews, Tries } from '#kernel/proof/looked.ts';
import type { LoopState } from './loop.ts';
import type { ActionLoop } from '#kernel/actions/action-loop.ts';
import type { RunHistory } from './run-history.ts';
import type { Dialogue } from './conversation.ts';
import type { EndedRun } from '#kernel/model/outcome.ts';
import type { Base, CommittedTree } from '#kernel/model/base.ts';
import type { Inspection } from './review.ts';
import type { Step } from '#kernel/model/step.ts';
import type { TamperEntry } from '#kernel/proof/tampering.ts';
import type { Task, TaskStatus } from '#kernel/model/task.ts';
import type { Suspension } from '#kernel/waiting/suspension.ts';
import type { Reopening } from './apply-reopening.ts';
import type { PastSession } from '#kernel/model/session-name.ts';
import type { PlanState } from '#kernel/planning/plan-state.ts';
import type { LandedWork } from '#kernel/events/after-end-facts.ts';
import type { Failures } from './failure.ts';
import { present } from '#base/assert.ts';
import type { Work } from './work.ts';

export interface Run {
  readonly id: string;
  config: RunConfig;
  readonly createdAt: number;
  /** The time of the newest fact; it never goes back. */
  now: number;
  /** By how much the clock of the machine was behind it. */
  lagMs: number;
  events: number;
  epoch: number;
  /** Time in which a driver worked on it: waits, pauses and the time between drivers do not count. */
  activeMs: number;
  isDriven: boolean;
  base: Base | null;
  /** The newest commit of the run's branch. */
  tip: CommittedTree | null;
  readonly tasks: Map<string, TaskState>;
  readonly queue: TaskQueue;
  /** Of runs that plan; empty for all others. */
  readonly plan: PlanState;
  readonly running: Map<string, Step>;
  stepsStarted: number;
  /** Sessions started per role, for log names. */
  readonly ordinals: Map<string, number>;
  /** Those that are over, in that order: which agent was asked, and which one really ran. */
  readonly sessions: PastSession[];
  readonly history: RunHistory;
  readonly ledger: Ledger;
  budget: BudgetLimits;
  readonly controls: Map<string, 'pending' | 'applied' | 'refused'>;
  /** What each of them asks for. */
  readonly asked: Map<string, ControlRequest['control']['kind']>;
  pending: ControlRequest[];
  /** Until when a provider's usage limit is waited for; that time is no work. */
  limitedUntil: number | null;
  /** `now`: sessions that cannot be interrupted are ended. */
  paused: { readonly by: string; readonly why: string; readonly now?: true } | null;
  /** What the run or a task is suspended on, by id, oldest first; how many of them agents asked for. */
  readonly suspensions: Map<string, Suspension>;
  agentSuspensions: number;
  stopping: { readonly now: boolean; readonly why: string } | null;
  /** Steps that committed on the run's branch themselves; it was moved back. */
  readonly movedBranch: Set<string>;
  /** Every change of a pinned thing, oldest first. */
  readonly tampering: TamperEntry[];
  /** Changes of criteria that somebody asked for who may not make them. */
  readonly proposals: Map<string, Proposal>;
  /** A criterion came with a check whose files are not pinned yet. */
  arePinsDue: boolean;
  /** What a person told and no prompt has carried yet. */
  tells: string[];
  /** The last check of the whole run on a clean checkout; null again once the branch moves. */
  acceptance: Acceptance | null;
  /** A deed that the world refused; the run cannot go on by itself. */
  trouble: { readonly reason: string; readonly hint: string } | null;
  outcome: EndedRun | null;
  /** Where the work went after the end. */
  readonly landings: LandedWork[];
  /** Ends that a person took back, oldest first. */
  readonly reopenings: Reopening[];
  /** A person approved the work as a whole, though nothing proves it; it completes once the acceptance passes again. */
  approval: { readonly by: string; readonly at: number; readonly tree: string } | null;
  /** The run that it was forked from, and where. */
  forked: Fork | null;
  /** Its files, branch and logs were removed: the journal is what is left. */
  cleaned: Cleaning | null;
}

/** Which tasks can be worked on; kept up to date with their statuses. */
export interface TaskQueue {
  /** Tasks that may start, in the order of the plan. */
  readonly ready: TaskState[];
  /** Tasks that were started and are not finished. */
  readonly active: Set<TaskState>;
  /** For each task, the tasks that wait for it. */
  readonly dependents: Map<string, string[]>;
  /** Tasks that are neither landed nor skipped nor failed nor dropped. */
  unfinished: number;
}

export interface TaskState {
  /** Its criteria change by recorded facts alone. */
  spec: Task;
  /** Its place in the plan. */
  index: number;
  /** `by`: 'plan', 'policy', or a person's name. `isPerson`: a person wrote it, or the plan it was first in. */
  origin: { readonly by: string; readonly isPerson: boolean };
  status: TaskStatus;
  /** The attempt under way, or the last one; 0 before the first. */
  attempt: number;
  work: Work;
  /** Attempts made before a person asked for a retry; they no longer count. */
  forgiven: number;
  /** What the attempt under way builds on. */
  base: CommittedTree | null;
  /** The tree as the task's last session left it. */
  workTree: string | null;
  inspection: Inspection;
  readonly previews: Previews;
  /** What its agent said last of how far it is, and how often it said something. */
  progress: { readonly text: string; readonly count: number };
  start: StartOfTask;
  readonly evidence: Map<string, CriterionEvidence>;
  /** By criterion. */
  readonly tries: Map<string, Tries>;
  readonly loop: LoopState;
  /** Of the action loop; untouched in every other one. */
  readonly actions: ActionLoop;
  /** Criteria whose check was refused at an acceptance, and a builder got the reason. */
  readonly refused: Set<string>;
  /** Criteria that nobody waits for any more. */
  readonly skips: Map<
    string,
    { readonly by: string; readonly why: string; readonly approvedBy: 'person' | 'policy' }
  >;
  /** Every change of its criteria since the start, oldest first. */
  readonly changes: RecordedChange[];
  /** Sessions in a row without a valid verdict, and the newest report; both survive attempts. */
  readonly reviewers: { errors: number; report: string | null };
  readonly provider: ProviderTrouble;
  readonly failures: Failures;
  readonly dialogue: Dialogue;
  commit: string | null;
  /** Whether it was given up once, and whether a person asked for a retry. */
  readonly past: { hasFailed: boolean; isRetried: boolean };
  runningSteps: number;
}

/** What its checks said before anything was done. */
export interface StartOfTask {
  /** The tree that they were first run on. */
  tree: string | null;
  /** Which of them have been run, by when they apply. */
  readonly checked: { attempt: boolean; acceptance: boolean };
}

export type CriterionEvidence = { [purpose in Purpose]?: Evidence };

export function taskOf(run: Run, id: string): TaskState {
  return present(run.tasks.get(id), `task ${id} is known`);
}
