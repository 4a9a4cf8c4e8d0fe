import type { Run } from '#kernel/fold/run.ts';
import { forksAmong, originJson } from '#views/lines/after-end.ts';
import { outcomeWord, proofOf } from '#views/report/proof.ts';
import { stageUnder, stateOf } from './stage.ts';
import { completedSteps } from './steps.ts';
import { shortened, tableLines, utc, utcMinute } from '#views/words.ts';

export interface ListedRun {
  readonly run: Run;
  /** The driver of the run; null if there is none. */
  readonly holder: string | null;
}

export function listJson(runs: readonly ListedRun[]) {
  return runs.map(({ run, holder }) => ({
    runId: run.id,
    preset: run.config.preset,
    goal: run.config.goal,
    startedAt: utc(run.createdAt),
    updatedAt: utc(run.now),
    state: stateOf(run, holder),
    stage: stageUnder(run, holder),
    outcome: run.outcome?.outcome ?? null,
    proof: proofOf(run),
    steps: completedSteps(run),
    branch: run.base?.branch ?? null,
    landings: run.landings,
    ...(run.forked === null ? {} : { forkedFrom: originJson(run.forked) }),
    forks: forksAmong(runs, run.id),
    ...(run.cleaned === null ? {} : { cleaned: run.cleaned }),
    holder,
  }));
}

export function listText(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'No run yet. Start one: untildone run "…" --check "npm test"';
  const rows = runs.map(({ run, holder }) => {
    const { done, all } = completedSteps(run);
    return [
      run.id,
      `${run.outcome === null ? stateOf(run, holder) : outcomeWord(run, run.outcome.outcome)}${whereOf(run)}`,
      `${done}/${all}`,
      utcMinute(run.createdAt),
      shortened(run.config.goal, 60),
    ];
  });
  return tableLines([['RUN', 'STATE', 'DONE', 'STARTED', 'GOAL'], ...rows]).join('\n');
}

/** `, on main` once its work has landed there. */
function whereOf({ landings, cleaned, forked }: Run): string {
  const targets = new Set(landings.map(({ target }) => target));
  const where = targets.size === 0 ? '' : `, on ${[...targets].join(' and ')}`;
  const origin = forked === null ? '' : `, fork of ${forked.runId}`;
  return `${where}${origin}${cleaned === null ? '' : ', cleaned'}`;
}
