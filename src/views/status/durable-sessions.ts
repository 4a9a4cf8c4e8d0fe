// `untildone session`: unfinished runs with the next command of each, and the number of completed runs.
import type { Run } from '#kernel/fold/run.ts';
import { commandToResume } from './again.ts';
import type { ListedRun } from './list.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import { awaitedLimit, isAttached, stageUnder, stateOf } from './stage.ts';
import { completedSteps } from './steps.ts';
import { suspensionWords } from '#kernel/waiting/suspension.ts';
import { commandToEndWait, firstSuspension, isSuspended } from '#views/waiting/suspended.ts';
import { shortened } from '#views/words.ts';

type SessionView = ReturnType<typeof sessionsOf>[number];

export function sessionsOf(runs: readonly ListedRun[]) {
  return runs
    .filter(({ run }) => run.outcome === null)
    .map(({ run, holder }) => ({
      runId: run.id,
      preset: run.config.preset,
      goal: run.config.goal,
      state: stateOf(run, holder),
      steps: completedSteps(run),
      stage: stageUnder(run, holder),
      /** Null for a run that waits for nothing. */
      waitingFor: waitingFor(run),
      next: nextCommand(run, holder),
    }));
}

export function sessionsText(sessions: readonly SessionView[]): string {
  if (sessions.length === 0) return 'No unfinished run. Start one: untildone run "…" --check "npm test"';
  return sessions.map(blockOf).join('\n\n');
}

function blockOf({ runId, preset, goal, state, steps, stage, waitingFor: waits, next }: SessionView): string {
  return [
    `${runId} (${preset}): ${state}, ${steps.done}/${steps.all} steps completed`,
    `  Goal: ${shortened(goal, 80)}`,
    `  Stage: ${shortened(stage, 200)}`,
    ...(waits === null ? [] : [`  Waits for: ${shortened(waits, 200)}`]),
    `  Next: ${next}`,
  ].join('\n');
}

export function waitingFor(run: Run): string | null {
  const suspended = isSuspended(run) ? firstSuspension(run) : null;
  const wait = suspended === null ? null : suspensionWords(suspended);
  const limit = run.running.size === 0 ? awaitedLimit(run) : null;
  return run.paused?.why ?? wait ?? run.trouble?.reason ?? attentionItems(run)[0]?.question ?? limit;
}

function nextCommand(run: Run, holder: string | null): string {
  const way = run.paused === null ? commandToEndWait(run) : null;
  if (way !== null) return way;
  const [item] = attentionItems(run);
  const [answer] = item === undefined || run.paused !== null ? [] : commandsOf(run, item);
  if (answer !== undefined) return answer;
  const isWorkedOn = (holder !== null && run.paused === null) || isAttached(run);
  return isWorkedOn ? `untildone logs -f ${run.id}` : commandToResume(run);
}

interface SessionStats {
  readonly total: number;
  readonly completed: number;
  /** In percent; null as long as no run measures it. */
  readonly averageTokensSaved: number | null;
}

export function sessionStatsOf(runs: readonly Run[]): SessionStats {
  return {
    total: runs.length,
    completed: runs.filter(({ outcome }) => outcome?.outcome === 'completed').length,
    averageTokensSaved: null,
  };
}

export function sessionStatsText({ total, completed, averageTokensSaved: saved }: SessionStats): string {
  return [
    `Total sessions: ${total}`,
    `Completed: ${completed}`,
    `Avg tokens saved: ${saved === null ? 'not measured' : `${saved.toFixed(1)}%`}`,
  ].join('\n');
}
