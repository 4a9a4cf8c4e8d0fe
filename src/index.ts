// The library: everything public, listed by hand.
export { run } from '#compose/run/run.ts';
export type { RunOptions } from '#compose/run/run-options.ts';
export type { RunCost, RunResult } from '#compose/run/run-result.ts';
export { loadRun, openInbox, openSite, openStore, runFiles } from '#compose/site.ts';
export { answerTo, dropControl } from '#compose/controls.ts';
export { driveRun, probe, startRun } from './compose.ts';
export type { RunFiles, Site } from '#compose/site.ts';
export type { DriveEnd, Probe } from './compose.ts';
export { findProof } from '#compose/find-proof.ts';
export type { Proof } from '#compose/find-proof.ts';
export { verifyProof } from '#compose/verify.ts';
export type { VerifyOptions } from '#compose/verify.ts';
export { landProof } from '#compose/land.ts';
export type { Landing, LandOrder } from '#compose/land.ts';
export { exportProof } from '#compose/keep-proof.ts';
export type { Verification } from '#views/verification.ts';
export type { Statement } from '#views/statement.ts';
export { resolveRun } from '#config/resolve-run.ts';
export type { ResolvedRun, RunRequest } from '#config/resolve-run.ts';

export { apply, replay } from '#kernel/apply.ts';
export { decide } from '#kernel/decide.ts';
export type { Decision } from '#kernel/decide.ts';
export { exitCodes } from '#kernel/outcome.ts';
export type { Outcome } from '#kernel/outcome.ts';
export type { BudgetLimits, Usage } from '#kernel/budget.ts';
export type { ProofKind } from '#kernel/proof/proof-kind.ts';
export type { RunConfig } from '#kernel/config.ts';
export type { Control, ControlRequest } from '#kernel/control.ts';
export type { Check } from '#kernel/check.ts';
export type { Criterion, Evidence, Verdict } from '#kernel/criterion.ts';
export type { ProcessEnding, SessionEnding, SessionErrorClass } from '#kernel/ending.ts';
export type { Event, Fact } from '#kernel/events.ts';
export type { Move, Policy } from '#kernel/policy.ts';
export type { Run, TaskState } from '#kernel/run.ts';
export type { Signal, SignalWords } from '#kernel/signal.ts';
export type { Deed, SessionResult, Step, StepResult } from '#kernel/step.ts';
export type { Task } from '#kernel/task.ts';

export type {
  Agent,
  AgentEvent,
  AgentResult,
  AgentSession,
  AgentSpec,
  SessionRequest,
} from '#ports/agent.ts';
export { OperatorError } from '#ports/operator-error.ts';
export type { Processes, ProcessSpec, RunningProcess } from '#ports/processes.ts';
export type { Holder, Journal, Reading, Store } from '#ports/store.ts';
export type { Inbox } from '#ports/inbox.ts';
export type { Observer, World } from '#ports/world.ts';

export { stateJson } from '#views/state-json.ts';
export type { StateJson } from '#views/state-json.ts';
