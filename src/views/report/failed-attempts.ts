// The failed attempts of a run, with the failing tests and the output of their checks.
import type { Event } from '#kernel/events/events.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sinceFork } from './timeline.ts';

const limits = { attempts: 30, checks: 5, tests: 30, outputChars: 2_500 };

export interface FailedCheck {
  readonly criterionId: string;
  readonly reason: string;
  readonly place: Evidence['place'];
  /** Names of failing tests, as far as the kept output has them, bounded. */
  readonly tests: readonly string[];
  /** How many tests failed; null if no runner said so. */
  readonly failing: number | null;
  /** The failures, else the end of the output; '' for a held-out check. */
  readonly output: string;
}

export interface FailedAttempt {
  readonly taskId: string;
  readonly attempt: number;
  readonly at: number;
  readonly reason: string;
  readonly checks: readonly FailedCheck[];
  readonly checksHidden: number;
}

export interface FailedAttempts {
  /** The newest ones, oldest first. */
  readonly attempts: readonly FailedAttempt[];
  readonly hidden: number;
}

/** `failedTests` finds the names of failing tests in output. */
export function failedAttempts(
  run: Run,
  events: readonly Event[],
  failedTests: (output: string) => readonly string[],
): FailedAttempts {
  const found: FailedEnd[] = [];
  const failing = new Map<string, Map<string, Evidence>>();
  let attempt = new Map<string, number>();
  for (const event of sinceFork(events)) {
    if (event.type === 'step-started' && event.step.deed.kind === 'session' && !event.step.deed.readOnly) {
      const taskId = event.step.taskId ?? '';
      failing.delete(taskId);
      attempt = attempt.set(taskId, event.step.deed.attempt);
    } else if (event.type === 'evidence-recorded') note(failing, event.evidence);
    else if (event.type === 'attempt-failed' || event.type === 'task-reopened') {
      const { taskId, reason, at } = event;
      const number = event.type === 'attempt-failed' ? event.attempt : (attempt.get(taskId) ?? 0);
      found.push({
        taskId,
        reason,
        at,
        attempt: number,
        evidence: [...(failing.get(taskId)?.values() ?? [])],
      });
    }
  }
  const shown = found.slice(-limits.attempts);
  const attempts = shown.map(({ evidence, ...failed }) => ({
    ...failed,
    checks: evidence.slice(0, limits.checks).map((one) => failedCheck(run, one, failedTests)),
    checksHidden: Math.max(0, evidence.length - limits.checks),
  }));
  return { attempts, hidden: found.length - shown.length };
}

interface FailedEnd extends Pick<FailedAttempt, 'taskId' | 'attempt' | 'at' | 'reason'> {
  readonly evidence: readonly Evidence[];
}

/** The newest failure of each criterion since the last builder session began; a later pass removes it. */
function note(failing: Map<string, Map<string, Evidence>>, evidence: Evidence): void {
  const { taskId, criterionId, purpose, verdict } = evidence;
  if (purpose !== 'attempt' && purpose !== 'acceptance') return;
  const ofTask = failing.get(taskId) ?? new Map<string, Evidence>();
  failing.set(taskId, ofTask);
  if (verdict === 'pass') ofTask.delete(criterionId);
  else ofTask.set(criterionId, evidence);
}

function failedCheck(
  run: Run,
  evidence: Evidence,
  failedTests: (output: string) => readonly string[],
): FailedCheck {
  const { criterionId, reason, place, tail, excerpt = '', failing = null } = evidence;
  const criteria = run.tasks.get(evidence.taskId)?.spec.criteria ?? [];
  const isHidden = criteria.find(({ id }) => id === criterionId)?.check.kind === 'held-out';
  const tests = isHidden ? [] : [...new Set([...failedTests(excerpt), ...failedTests(tail)])];
  return {
    criterionId,
    reason,
    place,
    tests: tests.slice(0, limits.tests),
    failing: failing ?? (tests.length === 0 ? null : tests.length),
    output: isHidden ? '' : shownOutput(evidence, limits.outputChars),
  };
}
