// Rebuilds a run from a statement, as far as a recheck needs it. Fields that a statement lacks are empty.
import { createTask } from '#kernel/fold/create-task.ts';
import type { CriterionEvidence, Run } from '#kernel/fold/run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Pin } from '#kernel/model/criterion.ts';
import type { ReadStatement } from './statement-schema.ts';
import { createRun } from '#kernel/fold/create-run.ts';
import type { StatusName, TaskStatus } from '#kernel/model/task.ts';

type Proof = ReadStatement['predicate']['untildone'];

export function runOfStatement(
  { predicate: { untildone: proof } }: ReadStatement,
  subject: { readonly commit: string; readonly tree: string },
  pins: readonly Pin[],
): Run {
  const run = createRun(proof.run.id, configOf(proof), Date.parse(proof.run.startedAt));
  run.now = Date.parse(proof.run.endedAt);
  run.base = { ...proof.base, branch: run.config.repo.branch, pins };
  run.tip = subject;
  addTasks(run, proof);
  for (const { at, ...entry } of proof.tampering)
    run.tampering.push({ ...entry, isAllowed: entry.state === 'allowed', at: Date.parse(at) });
  const { outcome, reason, proof: kind = null } = proof.run;
  run.outcome = outcome === null ? null : { outcome, reason, ...(kind === null ? {} : { proof: kind }) };
  run.history.endedAt = outcome === null ? null : run.now;
  return run;
}

function addTasks(run: Run, proof: Proof): void {
  for (const { status, commit, skips, id, title, mayChange, criteria } of proof.tasks) {
    const spec = {
      id,
      title,
      description: '',
      files: [],
      hints: [],
      dependsOn: [],
      domain: null,
      criteria,
      mayChange,
    };
    const task = { ...createTask(spec, run.tasks.size), status: statusNamed(status), commit };
    for (const { criterionId, ...skip } of skips) task.skips.set(criterionId, skip);
    run.tasks.set(id, task);
  }
  for (const { purpose, ...evidence } of proof.evidence) {
    const known = run.tasks.get(evidence.taskId)?.evidence;
    const entry: CriterionEvidence = known?.get(evidence.criterionId) ?? {};
    entry[purpose] = { ...evidence, purpose, tail: '', log: null };
    known?.set(evidence.criterionId, entry);
  }
}

/** A statement has neither the reason why a task ended nor its question. */
function statusNamed(is: StatusName): TaskStatus {
  switch (is) {
    case 'waiting':
      return { is, unmet: 0 };
    case 'needs-input':
      return { is, question: { id: '', text: '' } };
    case 'failed':
      return { is, as: 'failed', reason: '' };
    case 'skipped':
    case 'dropped':
      return { is, reason: '' };
    default:
      return { is };
  }
}

function configOf(proof: Proof): RunConfig {
  const { run, base, prefix, setup, knownRed, mayChange, flaky, environment } = proof;
  return {
    preset: run.preset,
    goal: run.goal,
    key: '',
    inputs: '',
    repo: {
      repoId: '',
      baseCommit: base.commit,
      branch: `untildone/${run.id}`,
      inPlace: false,
      prefix,
      protectedBranches: [],
    },
    agents: {},
    knowledge: { prices: {}, usageLimitWordings: [] },
    roles: {},
    policy: {
      cooldownMs: 0,
      reviewerErrorsMax: 0,
      setbacksMax: 0,
      limitWaitMsMax: 0,
      parallel: 1,
      mayLeaveTreeUnchanged: false,
    },
    budget: {
      sessions: 0,
      usd: 0,
      tokens: 0,
      activeMs: 0,
      attemptsPerTask: 0,
      sessionUsd: 0,
      sessionTokens: 0,
    },
    // A statement without `isDetected` had no detected setup.
    setup: { isDetected: false, ...setup },
    knownRed,
    mayChange,
    ...(flaky === null ? {} : { flaky }),
    checkEnv: environment,
  };
}
