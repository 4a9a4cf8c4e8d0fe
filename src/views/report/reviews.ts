// Shows each review: reviewer, verdict, and our own results for its blockers.
import { securityBlockers } from '#kernel/fold/review.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Signal } from '#kernel/model/signal.ts';
import { verdictWords } from '#kernel/model/signal.ts';
import { count, shortened } from '#views/words.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

export type ReviewView = ReturnType<typeof reviewsOf>[number];

export function reviewsOf(run: Run) {
  return [...run.tasks.values()].flatMap((task) =>
    [...task.inspection.reviews.values()].map(
      ({ role, agent, tree, stepId, verdict, result, trials, doubts, doubt }) => ({
        taskId: task.spec.id,
        role,
        /** As requested; the model is the one that really ran, if known. */
        agent: agent.name,
        model: result?.ran.model ?? agent.model,
        tree,
        verdict: verdict?.verdict ?? null,
        /** Its weight; null until concluded, and if a person decided instead. */
        counts: countsFor(task, stepId),
        confidence: verdict?.confidence ?? null,
        blockers: (verdict?.blockers ?? []).map((one, index) => ({ ...one, trial: trials[index] ?? null })),
        text: verdict?.text ?? untagged(result?.signal ?? null),
        /** How often it was asked again about this tree, and why. */
        doubts,
        doubt,
        /** The text that a verdict of this role must contain to be found. */
        expected: expectedOf(run, role),
      }),
    ),
  );
}

function expectedOf({ config }: Run, role: string): string | null {
  const words = config.roles[role]?.words;
  return words === undefined ? null : verdictWords(words);
}

function countsFor(task: TaskState, stepId: string): Verdict | null {
  const evidence = [...task.evidence.values()].map((one) => one.attempt);
  return evidence.find((one) => one?.stepId === stepId)?.verdict ?? null;
}

/** Shown to the person who decides instead. */
function untagged(signal: Signal | null): string {
  return signal?.kind === 'report' && signal.isUntagged === true ? signal.text : '';
}

const marks = { pass: '✅', fail: '❌', warn: '⚠️ ' };

/** Empty if the present work was not reviewed. */
export function reviewLines(run: Run): string[] {
  const finished = reviewsOf(run).filter(({ verdict, counts }) => verdict !== null || counts === 'unknown');
  if (finished.length === 0) return [];
  const lines = finished.flatMap((review) => [
    head(review, run.tasks.size > 1),
    ...words(review),
    ...review.blockers.map(blockerLine),
  ]);
  const critical = securityBlockers(run).map(
    ({ role, blocker }) => `  🔒 Security, critical (${role}): ${shortened(blocker.what, 160)}`,
  );
  return ['', 'Reviewers:', ...lines, ...critical];
}

/** `fail (80 % sure), 2 blockers` */
export function describeVerdict({ verdict, confidence, blockers }: ReviewVerdict): string {
  const sure = confidence === null ? '' : ` (${Math.round(confidence * 100)} % sure)`;
  return `${verdict}${sure}${blockers.length === 0 ? '' : `, ${count(blockers.length, 'blocker')}`}`;
}

function head(review: ReviewView, hasOthers: boolean): string {
  const { taskId, role, agent, model, verdict, confidence, blockers, text, doubts } = review;
  const who = `${hasOthers ? `${taskId}/` : ''}${role} (${agent}${model === null ? '' : `, ${model}`})`;
  const again = doubts === 0 ? '' : `, asked ${count(doubts + 1, 'time')}`;
  if (verdict === null) return `  ❓ ${who}: gave no verdict${again}`;
  const mark = review.counts === 'unknown' ? '❓' : marks[verdict];
  return `  ${mark} ${who}: ${describeVerdict({ verdict, confidence, blockers, text })}${again}`;
}

function words({ text, verdict, expected }: ReviewView): string[] {
  return [
    ...(text === '' ? [] : [`     "${shortened(text, 300)}"`]),
    ...(verdict !== null || expected === null ? [] : [`     It should print ${expected}.`]),
  ];
}

function blockerLine({ what, severity, command, trial }: ReviewView['blockers'][number]): string {
  const evidence = trial === null ? 'not run by us' : `${trial.outcome} by us, ${trial.reason}`;
  const shown = command === null ? '' : ` (\`${shortened(command, 80)}\`: ${evidence})`;
  return `     - ${severity}: ${shortened(what, 160)}${shown}`;
}
