// A random walk of a run: each number chooses the next step. For laws that hold in every state.
import type { Control } from '#kernel/events/control.ts';
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { ReproduceOperation, Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import type { PlayedRun } from './simulated-run.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedConfig,
  simulatedPolicy,
  simulatedTask,
} from './simulated-run.ts';

/** Calls back in every state that the run passes through; the same numbers give the same walk. */
export function walk(numbers: readonly number[], onState: (played: PlayedRun) => void = () => {}): PlayedRun {
  const way = wayOf(numbers);
  const { choose, isSmooth } = way;
  const played = playRun({
    tasks: tasksOf(way),
    config: {
      policy: simulatedPolicy({
        parallel: 1 + choose(2),
        cooldownMs: choose(2) * 50,
      }),
      budget: {
        ...simulatedConfig().budget,
        attemptsPerTask: 1 + choose(3),
        sessions: (isSmooth && choose(3) > 0 ? 12 : 1) + choose(24),
        usd: 3 + choose(40),
        sessionUsd: 3,
      },
      knownRed: choose(4) === 0 ? 'all' : [],
      acceptReview: choose(2) === 0,
    },
  });
  for (let steps = 0; steps < numbers.length; steps += 1) {
    onState(played);
    const decision = played.decide();
    // A driver may die before it writes down what it concluded.
    if (decision.record.length > 0 && choose(12) === 0) takeOver(played);
    else if (decision.record.length > 0) played.record(...decision.record);
    else if (decision.start.length > 0) played.begin();
    else if (played.run.outcome === null) happen(played, way);
    // Now and then a person reopens a finished run.
    else if (choose(3) === 0 || isUnverified(played)) played.ask(wishAtEnd(played, choose));
    else return played;
  }
  return played;
}

type Choose = (below: number) => number;

interface Way {
  readonly choose: Choose;
  /** Little goes wrong, so that the run comes to its end: where anything may happen, one in fifty completes. */
  readonly isSmooth: boolean;
}

function wayOf(numbers: readonly number[]): Way {
  const choose = chooser(numbers);
  return { choose, isSmooth: choose(2) === 0 };
}

function chooser(numbers: readonly number[]): Choose {
  let at = 0;
  return (below) => {
    const number = numbers[at % numbers.length] ?? 0;
    at += 1;
    return (number + at * 7) % below;
  };
}

function tasksOf({ choose, isSmooth }: Way): Task[] {
  const ids = ['a', 'b', 'c', 'd'].slice(0, 1 + choose(isSmooth ? 2 : 4));
  return ids.map((id, index) =>
    simulatedTask(id, {
      dependsOn: ids.slice(0, index).filter(() => choose(3) === 0),
      criteria: criteriaOf(choose, isSmooth),
    }),
  );
}

function criteriaOf(choose: Choose, isSmooth: boolean): Criterion[] {
  const all = [
    commandCriterion('works'),
    commandCriterion('slow', { when: 'acceptance' }),
    commandCriterion('nice', { required: false }),
    reviewerCriterion,
    personCriterion,
  ];
  return all.filter((_, index) => choose(index === 4 ? 6 : 2) === 0 || (isSmooth && index === 0));
}

function happen(played: PlayedRun, way: Way): void {
  const { choose, isSmooth } = way;
  const running = [...played.run.running.values()];
  const what = choose(isSmooth ? 40 : 10);
  if (what === 0) return void played.ask(controlOf(played, choose));
  if (what === 1) return played.pass(1 + choose(100));
  if (what === 2) return takeOver(played);
  const step = running[choose(Math.max(1, running.length))];
  if (step !== undefined) return endStep(played, step, way);
  if (played.run.paused !== null || played.run.trouble !== null) return void played.ask({ kind: 'resume' });
  played.pass(1 + choose(100));
  if (choose(3) === 0) played.ask(controlOf(played, choose));
}

function takeOver(played: PlayedRun): void {
  const lost = [...played.run.running.keys()];
  played.takeOver();
  for (const stepId of lost) played.record({ type: 'step-lost', stepId, reason: 'gone', usage: null });
}

function endStep(played: PlayedRun, step: Step, way: Way): void {
  const { choose, isSmooth } = way;
  switch (step.deed.kind) {
    case 'prepare':
      return played.record({
        type: 'step-ended',
        stepId: step.stepId,
        result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] },
      });
    case 'session':
      return endSession(played, step, way);
    case 'check': {
      const isBase = step.deed.purpose === 'base';
      const smoothly = (): Verdict => ((choose(6) === 0) === isBase ? 'pass' : 'fail');
      const verdict = (): Verdict =>
        isSmooth
          ? smoothly()
          : ((['pass', 'pass', 'pass', 'fail', 'unknown'] as const)[choose(5)] ?? 'unknown');
      const verdicts = { works: verdict(), slow: verdict(), nice: verdict() };
      const known = choose(isSmooth ? 64 : 16) === 0 ? { treeAfter: 'spoilt' } : {};
      const calibration = step.deed.purpose === 'acceptance' ? calibrationOf(played, choose) : null;
      if (calibration === null) return played.endCheck(step, verdicts, known);
      const isRefused = calibration.verdict === 'refused';
      const seen = isRefused ? ({ works: 'unknown', slow: 'unknown', nice: 'unknown' } as const) : verdicts;
      return played.endCheck(step, seen, { ...known, calibration: [calibration] });
    }
    case 'reproduce':
      return endTrials(played, step, step.deed, choose);
    case 'commit':
      if (choose(isSmooth ? 30 : 6) > 0) return played.endCommit(step, `c-${step.stepId}`);
      return played.record({
        type: 'step-ended',
        stepId: step.stepId,
        result: { kind: 'refused', reason: 'the branch was moved', hint: 'Put it back' },
      });
    case 'survey':
    case 'settle-plan':
      throw new Error('these runs do not plan');
  }
}

/** Now and then how a check was tested says more than that it passed. */
function calibrationOf({ run }: PlayedRun, choose: Choose): Calibration | null {
  const said = { reason: 'tested', runs: 1, durationMs: 1, logs: [] };
  // What was refused is likely to be refused again.
  const wasRefused = [...run.tasks.values()].some(({ refused }) => refused.size > 0);
  switch (choose(wasRefused ? 2 : 8)) {
    case 0:
      return { kind: 'planted-failure', verdict: 'refused', ...said };
    case 1:
      return { kind: 'added-tests', verdict: 'passed', ...said };
    case 2:
      return { kind: 'attribution', verdict: 'passed', restsOnAddedFiles: true, ...said };
    default:
      return null;
  }
}

function endTrials(
  played: PlayedRun,
  step: Step,
  { review, commands }: ReproduceOperation,
  choose: Choose,
): void {
  const taskId = step.taskId ?? '';
  for (const { index } of commands) {
    const outcome = (['reproduced', 'not reproduced', 'unknown'] as const)[choose(3)] ?? 'unknown';
    const trial = { outcome, reason: outcome, ending: null, tail: '', log: null };
    played.record({ type: 'blocker-tried', taskId, stepId: review, index, trial });
  }
  played.record({ type: 'step-ended', stepId: step.stepId, result: { kind: 'reproduce' } });
}

/** A pass or a fail in words, or a fail with a blocker that can be tried, or an unclear answer. */
function reviewOf({ choose, isSmooth }: Way): Signal {
  const text = 'it is wrong';
  const blocker = { what: text, severity: 'major', isSecurity: false, command: 'try it' } as const;
  switch (choose(isSmooth ? 15 : 6)) {
    case 0:
      return { kind: 'report', text };
    case 1:
      return { kind: 'verdict', verdict: { verdict: 'fail', confidence: null, blockers: [blocker], text } };
    case 2:
      return { kind: 'verdict', verdict: { verdict: 'pass', confidence: 0.2, blockers: [], text: '' } };
    default:
      return { kind: 'done' };
  }
}

function endSession(played: PlayedRun, step: Step, way: Way): void {
  const { choose, isSmooth } = way;
  const endings: readonly SessionEnding[] = [
    { kind: 'finished' },
    { kind: 'finished' },
    { kind: 'finished' },
    { kind: 'crashed', detail: 'boom' },
    { kind: 'interrupted', resumeId: 'again' },
    { kind: 'cancelled', reason: 'gone' },
    { kind: 'timed-out', limit: 'wall' },
    { kind: 'failed', errorClass: 'authentication', detail: 'not logged in' },
  ];
  const isReview = step.deed.kind === 'session' && step.deed.readOnly;
  played.endSession(step, {
    ending: endings[choose(isSmooth ? 40 : endings.length)] ?? { kind: 'finished' },
    signal: isReview ? reviewOf(way) : choose(3) > 0 ? { kind: 'done' } : null,
    endTree: isReview && choose(isSmooth ? 20 : 5) > 0 ? step.baseTree : `tree-${choose(4)}`,
    usage: choose(4) === 0 ? { usd: null, tokens: null } : { usd: choose(4), tokens: 10 },
  });
}

/** Work that nothing proves is approved as often as not. */
function wishAtEnd(played: PlayedRun, choose: Choose): Control {
  const tree = played.run.tip?.tree ?? 'base';
  return isUnverified(played) && choose(2) === 0 ? { kind: 'approve-run', tree } : controlOf(played, choose);
}

function isUnverified({ run }: PlayedRun): boolean {
  return run.outcome?.outcome === 'unverified';
}

function controlOf({ run }: PlayedRun, choose: Choose): Control {
  const taskId = ['a', 'b', 'c', 'nobody'][choose(4)] ?? 'a';
  const tree = run.tasks.get(taskId)?.workTree ?? 'base';
  const about = { taskId, criterionId: 'person', tree };
  const controls: readonly Control[] = [
    { kind: 'pause', why: 'lunch' },
    { kind: 'resume' },
    { kind: 'resume', budget: { sessions: 20, usd: 30 } },
    { kind: 'resume', setup: choose(2) === 0 ? false : 'install' },
    { kind: 'tell', text: 'hurry' },
    { kind: 'skip', taskId, why: 'later' },
    { kind: 'retry', taskId },
    { kind: 'answer', questionId: 'q', text: 'yes' },
    { kind: 'approve', ...about },
    { kind: 'approve', ...about },
    { kind: 'reject', ...about, why: 'ugly' },
    { kind: 'approve', ...about, criterionId: 'works', tree: run.tip?.tree ?? 'base' },
    { kind: 'approve-run', tree: run.tip?.tree ?? 'base' },
    { kind: 'add-task', task: simulatedTask(`more-${run.tasks.size}`, { dependsOn: ['a'] }) },
    choose(4) === 0 ? { kind: 'stop', now: choose(2) === 0, why: 'enough' } : { kind: 'resume' },
  ];
  return controls[choose(controls.length)] ?? { kind: 'resume' };
}
