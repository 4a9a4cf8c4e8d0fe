// The state of a run, folded from its events: `apply` folds one event, `replay` a whole journal. A type with
// its own file has a comment here that says what it holds.
import type { BudgetLimits, Ledger } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { ControlRequest } from '#kernel/events/control.ts';
import type { Proposal, RecordedChange } from './criteria-change.ts';
import type { Evidence, Purpose } from '#kernel/model/criterion.ts';
import type { ProviderTrouble } from '#kernel/waiting/transient-error.ts';
import type { Fork } from './apply-fork.ts';
import type { Cleaning } from './after-end.ts';
import type { Acceptance, Previews, Tries } from '#kernel/proof/preview.ts';
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
  /** The time of the newest event; it never goes back. */
  now: number;
  /** How far the machine's clock was behind `now`. */
  lagMs: number;
  /** How many events it was folded from. */
  events: number;
  /** Counts its drivers; a driver is the process that holds the run's lock. */
  epoch: number;
  /** Time in which a driver worked: waits, pauses and the time between drivers do not count. */
  activeMs: number;
  isDriven: boolean;
  /** The commit it started from, with the pinned files; null until the workspace is prepared. */
  base: Base | null;
  /** The newest commit of the run's branch. */
  tip: CommittedTree | null;
  readonly tasks: Map<string, TaskState>;
  readonly queue: TaskQueue;
  /** The plan of a run whose tasks an architect writes; empty for all others. */
  readonly plan: PlanState;
  /** Steps that were started and have not ended, by id. */
  readonly running: Map<string, Step>;
  stepsStarted: number;
  /** Sessions started per role, for log names. */
  readonly ordinals: Map<string, number>;
  /** Sessions that ended, oldest first: which agent was asked, and which one ran. */
  readonly sessions: PastSession[];
  /** Times and errors for views; no decision reads it. */
  readonly history: RunHistory;
  /** What was spent, and what running steps have reserved. */
  readonly ledger: Ledger;
  budget: BudgetLimits;
  /** The state of each control (pause, answer, …) by id, and below it the kind of each. */
  readonly controls: Map<string, 'pending' | 'applied' | 'refused'>;
  readonly asked: Map<string, ControlRequest['control']['kind']>;
  pending: ControlRequest[];
  /** Until when the run waits for a provider's usage limit; that time is not counted. */
  limitedUntil: number | null;
  /** `now`: sessions that cannot be interrupted are ended, too. */
  paused: { readonly by: string; readonly why: string; readonly now?: true } | null;
  /** The conditions that the run or a task waits for, oldest first, and how many of them agents asked for. */
  readonly suspensions: Map<string, Suspension>;
  agentSuspensions: number;
  stopping: { readonly now: boolean; readonly why: string } | null;
  /** Steps whose agent committed on the run's branch; the branch was moved back. */
  readonly movedBranch: Set<string>;
  /** Every change of a pinned file, oldest first. */
  readonly tampering: TamperEntry[];
  /** Changes of criteria that an agent proposed; a person decides. */
  readonly proposals: Map<string, Proposal>;
  /** The workspace must be prepared again to pin files, such as those of a new check. */
  arePinsDue: boolean;
  /** Messages of a person that no prompt has carried yet. */
  messages: string[];
  /** The last check of the whole run on a clean checkout; null again once the branch moves. */
  acceptance: Acceptance | null;
  /** A step that could not be done; the run waits until a person resumes it. */
  trouble: { readonly reason: string; readonly hint: string } | null;
  outcome: EndedRun | null;
  /** The branches that the work was landed on after the end. */
  readonly landings: LandedWork[];
  /** Ends that a person took back, oldest first. */
  readonly reopenings: Reopening[];
  /** A person approved the whole work without proof; it completes once the acceptance passes again. */
  approval: { readonly by: string; readonly at: number; readonly tree: string } | null;
  /** The run that it was forked from, and where. */
  forked: Fork | null;
  /** Its files, branch and logs were removed; the journal is left. */
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
  /** As planned, with its criteria. */
  spec: Task;
  /** Its place in the plan. */
  index: number;
  /** `by`: 'plan', 'policy', or a person's name. `isPerson`: a person wrote it, or the first plan with it. */
  origin: { readonly by: string; readonly isPerson: boolean };
  /** waiting, ready, active, needs-input, proven, landed, failed, skipped or dropped; with data of its own. */
  status: TaskStatus;
  /** The current attempt, or the last one; 0 before the first. */
  attempt: number;
  /** How far that attempt is: idle, building, built, or over. */
  work: Work;
  /** Attempts made before a person asked for a retry; they no longer count. */
  forgiven: number;
  /** The commit that the attempt builds on. */
  base: CommittedTree | null;
  /** The tree as the task's last session left it. */
  workTree: string | null;
  /** The check and the reviews of the work, since the last builder session began. */
  inspection: Inspection;
  readonly previews: Previews;
  /** The last progress report of its agent, and the number of reports. */
  progress: { readonly text: string; readonly count: number };
  start: StartOfTask;
  /** By criterion: the evidence on the base, at the attempt, at the acceptance. */
  readonly evidence: Map<string, CriterionEvidence>;
  /** By criterion: how often its check ran, and how often it failed. */
  readonly tries: Map<string, Tries>;
  /** State of the loop over criteria, and of the action loop; each unused in other runs. */
  readonly loop: LoopState;
  readonly actions: ActionLoop;
  /** Criteria whose check does not measure the work, by the acceptance; a builder got the reason. */
  readonly refused: Set<string>;
  /** Criteria that are no longer required, and who decided so. */
  readonly skips: Map<
    string,
    { readonly by: string; readonly why: string; readonly approvedBy: 'person' | 'policy' }
  >;
  /** Every change of its criteria since the start, oldest first. */
  readonly changes: RecordedChange[];
  /** Sessions in a row without a valid verdict, and the newest report; both survive attempts. */
  readonly reviewers: { errors: number; report: string | null };
  /** Transient errors and usage limits of the builder's provider. */
  readonly provider: ProviderTrouble;
  readonly failures: Failures;
  /** Answers of people, and the conversation that the next builder session continues. */
  readonly dialogue: Dialogue;
  /** The commit that landed it; it stays when the task is reopened. */
  commit: string | null;
  /** Whether it failed once, and whether a person asked for a retry. */
  readonly past: { hasFailed: boolean; isRetried: boolean };
  runningSteps: number;
}

/** The state of its checks before the first session. */
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
