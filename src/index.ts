// The public API of the library: every export is listed here by hand.
export { run } from '#app/run/run.ts';
export type { RunOptions } from '#app/run/run-options.ts';
export type { RunCost, RunResult } from '#app/run/run-result.ts';
export { loadRun, openInbox, openSite, openStore, runFiles } from '#app/site.ts';
export { answerTo, dropControl } from '#app/controls/controls.ts';
export { driveRun } from '#app/world.ts';
export { probe } from '#app/doctor/probe-machine.ts';
export { startRun } from '#app/run/start-run.ts';
export type { RunFiles, Site } from '#app/site.ts';
export type { DriveEnd } from '#app/world.ts';
export type { Probe } from '#app/doctor/probe-machine.ts';
export { findProof } from '#app/prove/find-proof.ts';
export type { Proof } from '#app/prove/find-proof.ts';
export { verifyProof } from '#app/prove/verify.ts';
export type { VerifyOptions } from '#app/prove/verify.ts';
export { landProof } from '#app/land/land.ts';
export type { Landing, LandOrder } from '#app/land/land.ts';
export { exportProof } from '#app/prove/keep-proof.ts';
export type { Verification } from '#views/report/verification.ts';
export type { Statement } from '#views/report/statement.ts';
export { resolveRun } from '#config/resolve/resolve-run.ts';
export type { ResolvedRun, RunRequest } from '#config/resolve/resolve-run.ts';

export { apply, replay } from '#kernel/fold/apply.ts';
export { decide } from '#kernel/decide/decide.ts';
export type { Decision } from '#kernel/decide/decision.ts';
export { exitCodes } from '#kernel/model/outcome.ts';
export type { Outcome, ProofKind } from '#kernel/model/outcome.ts';
export type { BudgetLimits, Usage } from '#kernel/model/budget.ts';
export type { RunConfig } from '#kernel/model/config.ts';
export type { Control, ControlRequest } from '#kernel/events/control.ts';
export type { Check } from '#kernel/model/check.ts';
export type { Criterion, Evidence, Verdict } from '#kernel/model/criterion.ts';
export type { ProcessEnding, SessionEnding, SessionErrorClass } from '#kernel/model/ending.ts';
export type { Event, Fact } from '#kernel/events/events.ts';
export type { Move, Policy } from '#kernel/decide/policy.ts';
export type { Run, TaskState } from '#kernel/fold/run.ts';
export type { Signal, SignalWords } from '#kernel/model/signal.ts';
export type { Operation, SessionResult, Step, StepResult } from '#kernel/model/step.ts';
export type { Task } from '#kernel/model/task.ts';

export type {
  Agent,
  AgentEvent,
  AgentResult,
  AgentSession,
  AgentSpec,
  SessionRequest,
} from '#ports/agent.ts';
export { OperatorError } from '#base/operator-error.ts';
export type { Processes, ProcessSpec, RunningProcess } from '#ports/processes.ts';
export type { Holder, Journal, Reading, Store } from '#ports/store.ts';
export type { Inbox } from '#ports/inbox.ts';
export type { Observer, World } from '#ports/world.ts';

export { stateJson } from '#views/status/state-json.ts';
export type { StateJson } from '#views/status/state-json.ts';
