// `state.json`: the run for people and programs to read. A view: nothing is ever read back from it.
import { knownUsd } from '#kernel/budget.ts';
import type { Run } from '#kernel/run.ts';
import { loopResult } from '#views/actions/loop-state.ts';
import { agentsJson, sessionsJson } from './agents.ts';
import { calibratedChecks } from './calibration.ts';
import { criteriaOf } from './criteria.ts';
import { commandsOf, mattersOf } from './matters.ts';
import { proofOf } from './proof.ts';
import { reviewsOf } from './reviews.ts';
import { isProtected } from './sandbox.ts';
import { stageOf, stageUnder, stateOf } from './stage.ts';
import { iterations, retries } from './status.ts';
import { stepsOf } from './steps.ts';
import { tamperLedger } from './tamper-ledger.ts';
import { tasksOf } from './task-list.ts';
import { utc } from './words.ts';

export type StateJson = ReturnType<typeof stateJson>;

/** `who` is given by readers of a stored run; the driver itself is alive. */
export function stateJson(run: Run, who?: { readonly holder: string | null }) {
  const isInterrupted = who !== undefined && stateOf(run, who.holder) === 'interrupted';
  const steps = stepsOf(run);
  return {
    runId: run.id,
    taskId: [...run.tasks.keys()].join(','),
    taskType: run.config.preset,
    goal: run.config.goal,
    startedAt: utc(run.createdAt),
    updatedAt: utc(run.now),
    status: run.outcome?.outcome ?? (isInterrupted ? 'interrupted' : isParked(run) ? 'parked' : 'running'),
    stage: who === undefined ? stageOf(run) : stageUnder(run, who.holder),
    outcome: run.outcome,
    /** What the outcome rests on; null while the run goes on, and where nothing does. */
    proof: proofOf(run),
    landings: run.landings,
    ...(run.cleaned === null ? {} : { cleaned: { ...run.cleaned, at: utc(run.cleaned.at) } }),
    /** Ends that a person took back. */
    reopenings: run.reopenings.map(({ at, ...rest }) => ({ at: utc(at), ...rest })),
    /** Whether the agents were kept away from our own state. */
    protected: isProtected(run.config),
    steps,
    tasks: tasksOf(run),
    execution: {
      currentStep: steps.find((step) => step.status === 'in_progress')?.id ?? null,
      totalIterations: iterations(run),
      totalRetries: retries(run),
    },
    /** Of the action loop, by the names that tools of this kind read; null for other presets. */
    loop: loopResult(run),
    criteria: criteriaOf(run),
    /** How the checks themselves were tested at the acceptance. */
    calibration: calibratedChecks(run),
    tampering: tamperLedger(run),
    runsAfterLanding: run.acceptance?.runsAfterLanding ?? [],
    reviews: reviewsOf(run),
    questions: mattersOf(run).map((matter) => ({ ...matter, commands: commandsOf(run, matter) })),
    said: run.pending.map(({ by, control }) => ({ by, control: control.kind })),
    errors: errorsOf(run),
    agents: agentsJson(run),
    sessions: sessionsJson(run),
    /** `usd` is null where no agent reported a cost. */
    spent: {
      ...run.ledger.spent,
      usd: knownUsd(run.ledger),
      usdIsComplete: run.ledger.usdIsComplete,
      activeMs: run.activeMs,
    },
    reserved: { ...run.ledger.reserved },
    budget: { ...run.budget },
    branch: run.base?.branch ?? null,
    base: run.base?.commit ?? null,
    tip: run.tip?.commit ?? null,
    waitingFor: run.trouble?.reason ?? run.paused?.why ?? mattersOf(run)[0]?.question ?? null,
    events: run.events,
  };
}

function isParked(run: Run): boolean {
  return run.paused !== null || run.trouble !== null || (run.running.size === 0 && mattersOf(run).length > 0);
}

function errorsOf(run: Run) {
  return [...run.tasks.values()].flatMap((task) => {
    const { failure, failures, report } = task;
    if (failure === null) return [];
    return [
      {
        taskId: task.spec.id,
        attempt: failure.attempt,
        reason: failure.reason,
        at: utc(failure.at),
        failures,
        report,
      },
    ];
  });
}
