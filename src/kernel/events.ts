// Every fact of a run. Past tense, plain JSON; conclusions are recorded and never derived again.
import type { RunConfig } from './config.ts';
import type { Control } from './control.ts';
import type { CriteriaChange } from './criteria-change.ts';
import type { Evidence } from './criterion.ts';
import type { LandedWork } from './landing.ts';
import type { Outcome } from './outcome.ts';
import type { PlanCause, PlanProposal } from './plan.ts';
import type { ProofKind } from '#kernel/proof/proof-kind.ts';
import type { ReviewVerdict, Trial } from './review.ts';
import type { Step, StepResult } from './step.ts';
import type { Tampering } from './tampering.ts';
import type { FailureTrace } from './failure.ts';
import type { Task } from './task.ts';
import type { Usage } from './budget.ts';
import type { ActionName, ActionState, ActionStatus, ActionWish } from '#kernel/model/action.ts';

/** The format this program writes. Older ones are upcast on read, newer ones are refused. */
export const eventVersion = 1;

export type Event = { readonly at: number } & Fact;

export type Fact =
  | {
      readonly type: 'run-created';
      readonly runId: string;
      readonly version: number;
      readonly config: RunConfig;
    }
  | { readonly type: 'driver-started'; readonly epoch: number; readonly driver: string }
  | { readonly type: 'driver-left'; readonly reason: string }
  /** `before`: the open task that it is taken up before; absent: behind the others. */
  | { readonly type: 'task-added'; readonly task: Task; readonly by: string; readonly before?: string }
  | { readonly type: 'step-started'; readonly step: Step }
  | { readonly type: 'step-ended'; readonly stepId: string; readonly result: StepResult }
  /** Nothing is left of the step: no receipt, no result. `usage` is null when not even its cost is known. */
  | {
      readonly type: 'step-lost';
      readonly stepId: string;
      readonly reason: string;
      readonly usage: Usage | null;
    }
  | { readonly type: 'evidence-recorded'; readonly evidence: Evidence }
  | {
      readonly type: 'workspace-restored';
      readonly stepId: string;
      readonly keptAs: string;
      readonly reason: string;
    }
  | {
      readonly type: 'ref-restored';
      readonly stepId: string;
      readonly ref: string;
      readonly keptAs: string;
      readonly action: string;
    }
  | { readonly type: 'tampering-seen'; readonly tampering: Tampering }
  /** By somebody who did not make the change; good for this content alone. */
  | {
      readonly type: 'tampering-accepted';
      readonly path: string;
      readonly content: string;
      readonly by: string;
      readonly why: string;
    }
  | { readonly type: 'tampering-righted'; readonly path: string; readonly by: string; readonly tree: string }
  | {
      readonly type: 'attempt-failed';
      readonly taskId: string;
      readonly attempt: number;
      readonly reason: string;
      /** What it left to learn from; absent where nothing was looked at. */
      readonly trace?: FailureTrace;
    }
  | {
      readonly type: 'reviewer-failed';
      readonly taskId: string;
      readonly stepId: string;
      readonly reason: string;
    }
  /** What a reviewer's session amounts to; what it counts for is concluded from it. */
  | {
      readonly type: 'review-received';
      readonly taskId: string;
      readonly stepId: string;
      readonly verdict: ReviewVerdict;
    }
  /** We ran the command of a blocker ourselves; `stepId` is the review's. */
  | {
      readonly type: 'blocker-tried';
      readonly taskId: string;
      readonly stepId: string;
      readonly index: number;
      readonly trial: Trial;
    }
  /** Its word settles nothing as it stands: it is asked again. */
  | {
      readonly type: 'review-doubted';
      readonly taskId: string;
      readonly stepId: string;
      readonly reason: string;
    }
  | {
      readonly type: 'report-received';
      readonly taskId: string;
      readonly stepId: string;
      readonly text: string;
    }
  /** What it proved is on the branch already: it was reopened, and nothing had to be changed. */
  | { readonly type: 'task-landed'; readonly taskId: string; readonly commit: string }
  | { readonly type: 'task-proven'; readonly taskId: string; readonly tree: string }
  | { readonly type: 'task-reopened'; readonly taskId: string; readonly reason: string }
  | {
      readonly type: 'task-failed';
      readonly taskId: string;
      readonly outcome: 'failed' | 'exhausted' | 'blocked';
      readonly reason: string;
    }
  /** A provider's limit: no attempt is counted, and the time until then is not counted as work. */
  | {
      readonly type: 'usage-limited';
      readonly taskId: string;
      readonly until: number;
      readonly reason: string;
    }
  | { readonly type: 'task-skipped'; readonly taskId: string; readonly by: string; readonly reason: string }
  | { readonly type: 'task-retried'; readonly taskId: string; readonly by: string }
  | {
      readonly type: 'question-asked';
      readonly taskId: string;
      readonly questionId: string;
      readonly question: string;
    }
  | {
      readonly type: 'question-answered';
      readonly taskId: string;
      readonly questionId: string;
      readonly text: string;
    }
  /** Somebody wants to know how the work stands while a session lives; what is seen then proves nothing. */
  | { readonly type: 'look-asked'; readonly taskId: string; readonly lookId: string }
  /** In an agent's own words: shown, and believed by nobody. */
  | {
      readonly type: 'progress-reported';
      readonly taskId: string;
      readonly text: string;
      readonly by: string;
    }
  /** A session worked on a criterion that nothing can decide at once. */
  | { readonly type: 'criterion-attempted'; readonly taskId: string; readonly criterionId: string }
  | {
      readonly type: 'criterion-passed';
      readonly taskId: string;
      readonly criterionId: string;
      readonly tree: string;
    }
  | {
      readonly type: 'criterion-failed';
      readonly taskId: string;
      readonly criterionId: string;
      readonly reason: string;
    }
  /** It had passed, and does so no longer. */
  | {
      readonly type: 'criterion-reopened';
      readonly taskId: string;
      readonly criterionId: string;
      readonly reason: string;
    }
  /** A pass over all criteria begins. */
  | { readonly type: 'iteration-started'; readonly taskId: string; readonly iteration: number }
  /** Everything is used up, and nothing but a person's word keeps the work from being proven. */
  | { readonly type: 'person-awaited'; readonly taskId: string; readonly why: string }
  /** The settings ask for a stop here; a person lets it go on. */
  | { readonly type: 'run-parked'; readonly taskId: string; readonly why: string }
  | {
      readonly type: 'criteria-changed';
      readonly taskId: string;
      readonly change: CriteriaChange;
      readonly by: string;
      readonly why: string;
      readonly approvedBy: 'person' | 'policy';
    }
  | {
      readonly type: 'criterion-proposed';
      readonly taskId: string;
      readonly proposalId: string;
      readonly change: CriteriaChange;
      readonly by: string;
      readonly why: string;
    }
  | {
      readonly type: 'proposal-settled';
      readonly taskId: string;
      readonly proposalId: string;
      readonly isAccepted: boolean;
      readonly by: string;
      readonly why: string;
    }
  /** One action of the loop is done: a turn of the agent, or checks of ours. `state` is what the loop keeps from here on. */
  | {
      readonly type: 'action-taken';
      readonly taskId: string;
      readonly stepId: string;
      readonly iteration: number;
      readonly action: ActionName;
      readonly status: ActionStatus;
      readonly message: string;
      readonly next: ActionWish;
      readonly state: ActionState;
      /** The files as the action left or saw them. */
      readonly tree: string | null;
      readonly filesUpdated?: readonly string[];
      readonly menuOptions?: string;
      readonly problems?: readonly string[];
    }
  /** The agent's answer cannot be used; the agent is asked once more with the problems. */
  | {
      readonly type: 'action-unreadable';
      readonly taskId: string;
      readonly stepId: string;
      readonly problems: readonly string[];
    }
  /** A person chose the next action. */
  | {
      readonly type: 'action-chosen';
      readonly taskId: string;
      readonly turn: number;
      readonly action: ActionName;
      readonly text?: string;
      readonly data?: unknown;
      readonly by: string;
    }
  | { readonly type: 'plan-wanted'; readonly cause: PlanCause; readonly why: string }
  /** The architect's answer cannot be used; it is told why. */
  | { readonly type: 'plan-refused'; readonly stepId: string; readonly problems: readonly string[] }
  | { readonly type: 'plan-proposed'; readonly proposal: PlanProposal }
  /** No usable plan came: what stands goes on as it is. */
  | { readonly type: 'plan-given-up'; readonly why: string }
  /** A person let it pass while a task was under way; `plan-adopted` follows. */
  | { readonly type: 'plan-approved'; readonly version: number; readonly by: string }
  /** From here on its tasks are the tasks; what is done stays. */
  | { readonly type: 'plan-adopted'; readonly version: number; readonly by: string }
  | { readonly type: 'plan-rejected'; readonly version: number; readonly by: string; readonly why: string }
  /** A provider's limit stands between the run and its plan. */
  | { readonly type: 'plan-delayed'; readonly until: number; readonly reason: string }
  | { readonly type: 'milestones-crossed'; readonly percents: readonly number[] }
  /** `isFinal` is false only in older journals: the reflector was asked once more, because its answer could not be read. */
  | {
      readonly type: 'drift-judged';
      readonly stepId: string;
      readonly percents: readonly number[];
      readonly isAligned: boolean | null;
      readonly reason: string;
      readonly isFinal: boolean;
      /** It drifted, and no new plan may be asked for any more. */
      readonly isDeadEnd?: true;
    }
  | {
      readonly type: 'acceptance-passed';
      readonly commit: string;
      readonly tree: string;
      readonly epoch: number;
    }
  | { readonly type: 'control-received'; readonly id: string; readonly by: string; readonly control: Control }
  | { readonly type: 'control-applied'; readonly id: string }
  | { readonly type: 'control-refused'; readonly id: string; readonly reason: string }
  | { readonly type: 'clock-reached'; readonly due: number }
  /** After the end: a person took the work to a branch of theirs. */
  | ({ readonly type: 'run-landed' } & LandedWork)
  /**
   * `proof`: what a completed run rests on; on an unverified one `review`: a reviewer's pass is all there is.
   * `refused`: the run was stopped before its first session, since it could not have succeeded here.
   */
  | {
      readonly type: 'run-ended';
      readonly outcome: Outcome;
      readonly reason: string;
      readonly proof?: ProofKind;
      readonly refused?: 'preflight';
    }
  /** A person wants more of a run that was over: it goes on from there. What is done and spent stays so. */
  | { readonly type: 'run-reopened'; readonly by: string }
  /** Of a run that ended as unverified: the work of this very tree is taken as done, if it is still accepted. */
  | { readonly type: 'run-approved'; readonly by: string; readonly tree: string }
  /** After the end: its files, branch and logs are removed from here on; `kept` names what stays. */
  | {
      readonly type: 'run-cleaned';
      readonly by: string;
      readonly kept: readonly string[];
      readonly removedBytes: number;
    };

export type FactType = Fact['type'];
