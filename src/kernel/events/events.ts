// Every event of a run, as the journal stores it: past tense, plain JSON. A conclusion is recorded once and
// never derived again. The last types of the union are groups of events with a file each.
import type { RunConfig } from '#kernel/model/config.ts';
import type { Control } from './control.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Outcome, ProofKind } from '#kernel/model/outcome.ts';
import type { PlanFact } from './plan-facts.ts';
import type { AgentChoice, Step, StepResult } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Usage } from '#kernel/model/budget.ts';
import type { LimitedAgent } from '#kernel/waiting/transient-error.ts';
import type { FailureTrace } from './failure-trace.ts';
import type { SuspensionFact } from './suspension-facts.ts';
import type { ReviewFact } from './review-facts.ts';
import type { CriteriaFact, LoopFact } from './criteria-facts.ts';
import type { ActionFact } from './action-facts.ts';
import type { TamperingFact } from './tampering-facts.ts';
import type { AfterEndFact, ForkOrigin } from './after-end-facts.ts';

/** The format that this program writes. Older formats are converted when read, newer ones are refused. */
export const eventVersion = 1;

/** `at` is the run's own time, which never goes back. `lagMs`: how far the machine's clock was behind it. */
export type Event = { readonly at: number; readonly lagMs?: number } & Fact;

export type Fact =
  | {
      readonly type: 'run-created';
      readonly runId: string;
      readonly version: number;
      readonly config: RunConfig;
      /** In a fork: the source of its first events. `run-forked` follows them. */
      readonly forkedFrom?: ForkOrigin;
    }
  | { readonly type: 'driver-started'; readonly epoch: number; readonly driver: string }
  | { readonly type: 'driver-left'; readonly reason: string }
  /** `before`: the open task that it is placed before; absent: it comes last. */
  | { readonly type: 'task-added'; readonly task: Task; readonly by: string; readonly before?: string }
  | { readonly type: 'step-started'; readonly step: Step }
  | { readonly type: 'step-ended'; readonly stepId: string; readonly result: StepResult }
  /** The step left no receipt and no result. `usage` is null if not even its cost is known. */
  | {
      readonly type: 'step-lost';
      readonly stepId: string;
      readonly reason: string;
      readonly usage: Usage | null;
    }
  | { readonly type: 'evidence-recorded'; readonly evidence: Evidence }
  | {
      readonly type: 'attempt-failed';
      readonly taskId: string;
      readonly attempt: number;
      readonly reason: string;
      /** For the policy; absent if nothing was checked. */
      readonly trace?: FailureTrace;
    }
  /** A reopened task turned out to be correct: its work is on the branch already. */
  | { readonly type: 'task-landed'; readonly taskId: string; readonly commit: string }
  | { readonly type: 'task-proven'; readonly taskId: string; readonly tree: string }
  | { readonly type: 'task-reopened'; readonly taskId: string; readonly reason: string }
  | {
      readonly type: 'task-failed';
      readonly taskId: string;
      readonly outcome: 'failed' | 'exhausted' | 'blocked';
      readonly reason: string;
    }
  /** A provider's usage limit: neither an attempt nor the time until `until` is counted. */
  | {
      readonly type: 'usage-limited';
      readonly taskId: string;
      readonly until: number;
      readonly reason: string;
      /** The builder that met it. If another one builds meanwhile (`takenOverBy`), the run does not wait. */
      readonly limited?: LimitedAgent;
      readonly takenOverBy?: AgentChoice;
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
  /** A preview of the checks was requested while a session runs; it proves nothing. */
  | { readonly type: 'look-asked'; readonly taskId: string; readonly lookId: string }
  /** In an agent's own words: shown, and used for no decision. */
  | {
      readonly type: 'progress-reported';
      readonly taskId: string;
      readonly text: string;
      readonly by: string;
    }
  /** The attempts are used up, and only a person's verdict is missing for the proof. */
  | { readonly type: 'person-awaited'; readonly taskId: string; readonly why: string }
  | {
      readonly type: 'acceptance-passed';
      readonly commit: string;
      readonly tree: string;
      readonly epoch: number;
    }
  | { readonly type: 'control-received'; readonly id: string; readonly by: string; readonly control: Control }
  | { readonly type: 'control-applied'; readonly id: string }
  | { readonly type: 'control-refused'; readonly id: string; readonly reason: string }
  /** `isWall`: `due` was reached by the machine's clock, not by the run's own time. */
  | { readonly type: 'clock-reached'; readonly due: number; readonly isWall?: true }
  /**
   * `proof`: the proof of a completed run; `review` on an unverified one means only a reviewer's pass.
   * `refused`: the run was stopped before its first session, because it could not have succeeded here.
   */
  | {
      readonly type: 'run-ended';
      readonly outcome: Outcome;
      readonly reason: string;
      readonly proof?: ProofKind;
      readonly refused?: 'preflight';
    }
  | ReviewFact
  | TamperingFact
  | LoopFact
  | CriteriaFact
  | ActionFact
  | PlanFact
  | SuspensionFact
  | AfterEndFact;

export type FactType = Fact['type'];
