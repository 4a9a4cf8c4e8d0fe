// `state.json`: the run for people and programs. A view: it is never read back.
import { knownUsd } from '#kernel/model/budget.ts';
import type { Run } from '#kernel/fold/run.ts';
import { loopResult } from '#views/actions/loop-state.ts';
import { agentsJson, sessionsJson } from '#views/report/agents.ts';
import { originJson } from '#views/lines/after-end.ts';
import { calibratedChecks } from '#views/report/calibration.ts';
import { criteriaOf } from './criteria.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import { waitingFor } from './durable-sessions.ts';
import { proofOf } from '#views/report/proof.ts';
import { reviewsOf } from '#views/report/reviews.ts';
import { isProtected } from '#views/report/sandbox.ts';
import { currentTask, isParkedOnLimit, stageOf, stageUnder, stateOf } from './stage.ts';
import { iterations, retries } from './status.ts';
import { currentStep, stepsOf } from './steps.ts';
import { tamperLedger } from '#views/report/tamper-ledger.ts';
import { tasksOf } from './task-list.ts';
import { isSuspended, type PollStatuses, suspensionsJson } from '#views/waiting/suspended.ts';
import { utc } from '#views/words.ts';

export type StateJson = ReturnType<typeof stateJson>;

export interface StateReader {
  readonly holder: string | null;
  readonly polls?: PollStatuses;
}

/** `who` is given by readers of a stored run; the driver itself is alive. */
export function stateJson(run: Run, who?: StateReader) {
  const isInterrupted = who !== undefined && stateOf(run, who.holder) === 'interrupted';
  const steps = stepsOf(run);
  const runStatus =
    run.outcome?.outcome ?? (isInterrupted ? 'interrupted' : isParked(run) ? 'parked' : 'running');
  return {
    runId: run.id,
    taskId: [...run.tasks.keys()].join(','),
    taskType: run.config.preset,
    goal: run.config.goal,
    startedAt: utc(run.createdAt),
    updatedAt: utc(run.now),
    /** The outcome, else interrupted, parked or running. */
    runStatus,
    /** The same, except in a run that plans: PLANNING, EXECUTING or COMPLETED. */
    status: runStatus as string,
    ...campaignState(run),
    stage: who === undefined ? stageOf(run) : stageUnder(run, who.holder),
    outcome: run.outcome,
    /** What the outcome rests on; null while the run is active, and if there is nothing. */
    proof: proofOf(run),
    landings: run.landings,
    ...(run.cleaned === null ? {} : { cleaned: { ...run.cleaned, at: utc(run.cleaned.at) } }),
    ...(run.forked === null ? {} : { forkedFrom: originJson(run.forked) }),
    /** Each time that a person reopened the ended run. */
    reopenings: run.reopenings.map(({ at, ...rest }) => ({ at: utc(at), ...rest })),
    /** Whether the agents had no access to our own state. */
    protected: isProtected(run.config),
    steps,
    tasks: tasksOf(run),
    execution: {
      currentStep: currentStep(run, steps),
      totalIterations: iterations(run),
      totalRetries: retries(run),
    },
    /** The action loop, with the field names that such tools read; null for other presets. */
    loop: loopResult(run),
    criteria: criteriaOf(run),
    /** How the checks themselves were tested at the acceptance. */
    calibration: calibratedChecks(run),
    tampering: tamperLedger(run),
    runsAfterLanding: run.acceptance?.runsAfterLanding ?? [],
    reviews: reviewsOf(run),
    questions: attentionItems(run).map((item) => ({ ...item, commands: commandsOf(run, item) })),
    said: run.pending.map(({ by, control }) => ({ by, control: control.kind })),
    /** Failed attempts, oldest first; the newest 50. */
    errors: run.history.errors.map((error) => ({ ...error, at: utc(error.at) })),
    agents: agentsJson(run),
    sessions: sessionsJson(run),
    ...budgetState(run),
    branch: run.base?.branch ?? null,
    base: run.base?.commit ?? null,
    tip: run.tip?.commit ?? null,
    waitingFor: waitingFor(run),
    ...suspensionState(run, who),
    events: run.events,
  };
}

/** A run that plans, with the field names that tools for campaigns read; null if the tasks are given. */
function campaignState(run: Run) {
  const { outcome, plan, config } = run;
  if (config.policy.planning === undefined) return null;
  const isPlanning = plan.version === 0 || plan.wanted !== null || plan.proposal !== null;
  const tasks = [...run.tasks.values()];
  const task = currentTask(run);
  return {
    /** PLANNING, EXECUTING or COMPLETED; any other outcome in capitals. */
    status: outcome?.outcome.toUpperCase() ?? (isPlanning ? 'PLANNING' : 'EXECUTING'),
    project_goal: config.goal,
    /** Failed attempts of the current task. */
    retry_counter: task === null ? 0 : Math.min(task.failures.count, task.attempt - task.forgiven),
    metrics: {
      tasks_completed: tasks.filter(({ status }) => status.is === 'landed').length,
      // A later plan drops a failed task: that does not undo the failure.
      tasks_failed: tasks.filter(
        ({ status, past }) => status.is === 'failed' || (status.is === 'dropped' && past.hasFailed),
      ).length,
      tasks_total: tasks.filter(({ status }) => status.is !== 'dropped').length,
    },
  };
}

function budgetState({ ledger, budget, activeMs }: Run) {
  return {
    /** `usd` is null if no agent reported a cost. */
    spent: { ...ledger.spent, usd: knownUsd(ledger), usdIsComplete: ledger.usdIsComplete, activeMs },
    reserved: { ...ledger.reserved },
    budget: { ...budget },
  };
}

/** The suspension of the whole run, and those of its tasks too. */
function suspensionState(run: Run, who?: StateReader) {
  const isDriven = who === undefined || who.holder !== null;
  const suspensions = suspensionsJson(run, {
    isDriven,
    ...(who?.polls === undefined ? {} : { polls: who.polls }),
  });
  return { suspension: suspensions.find(({ taskId }) => taskId === null) ?? null, suspensions };
}

function isParked(run: Run): boolean {
  return (
    run.paused !== null ||
    run.trouble !== null ||
    isSuspended(run) ||
    (!run.isDriven && isParkedOnLimit(run)) ||
    (run.running.size === 0 && attentionItems(run).length > 0)
  );
}
