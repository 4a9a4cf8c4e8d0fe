// Feedback on a failed attempt for the next builder: the checks' own output and the newest report.
import { describeSessionEnding } from '#kernel/model/ending.ts';
import { type Evidence, isByMachine } from '#kernel/model/criterion.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { isRequired, refusalOf } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { clipped, fencedOutput } from './render.ts';
import { textWithPathsFrom } from './path-from.ts';
import { triedTexts } from './tampered.ts';
import { buildOf } from '#kernel/fold/work.ts';

/** Enough for a stack trace and its context; ten failing checks still leave room for the work. */
const tailMax = 4000;

/** `criterionId`: the next session's criterion; feedback on the other criteria is omitted. */
export function feedback(run: Run, task: TaskState, criterionId?: string): string {
  const failure = failureFor(task, criterionId);
  const parts: string[] = [];
  if (failure !== null) {
    const pins = task.inspection.checked?.brokenPins ?? [];
    const reason = textWithPathsFrom(
      run.config.repo.prefix,
      failure,
      pins.map(({ path }) => path),
    );
    parts.push(reason);
  }
  if (task.failures.last !== null) parts.push(...cutShort(task, failure ?? ''));
  if (task.failures.last !== null && task.failures.trail.at(-1)?.kind === 'integration') parts.push(clash);
  if (task.failures.last !== null || task.reviewers.report !== null)
    parts.push(
      ...failedChecks(run, task)
        .filter((evidence) => criterionId === undefined || evidence.criterionId === criterionId)
        .map(describe),
      ...triedTexts(task),
    );
  if (task.reviewers.report !== null) parts.push(`### The verifier's report\n\n${task.reviewers.report}`);
  if (parts.length === 0) return '';
  return ['## Feedback on the previous attempt: must address fully', ...parts].join('\n\n');
}

/** Why the last attempt at this criterion, or at the whole task, was not accepted. */
function failureFor({ failures, loop }: TaskState, criterionId: string | undefined): string | null {
  if (failures.last === null) return null;
  const { focus } = loop;
  const isOfAnother =
    criterionId !== undefined &&
    focus !== null &&
    focus !== criterionId &&
    failures.last.reason.startsWith(`${focus}: `);
  if (!isOfAnother)
    return `Attempt ${failures.last.attempt} was not accepted: ${withoutFullStop(clipped(failures.last.reason, 2000))}.`;
  const own = loop.failures.get(criterionId);
  if (own === undefined) return null;
  return `An earlier attempt was not accepted: ${criterionId}: ${withoutFullStop(clipped(own.reason, 2000))}.`;
}

/** A builder that knows of the timeout can avoid the command that hung. */
function cutShort(task: TaskState, text: string): string[] {
  const build = buildOf(task);
  if (build?.ending.kind !== 'timed-out') return [];
  const words = describeSessionEnding(build.ending);
  const what = text.includes(words) ? '' : `The session before this one did not end by itself: it ${words}. `;
  return [
    `${what}Start no command that waits for input or does not end by itself, and give long ones a time limit.`,
  ];
}

const clash =
  'What this task itself asks for is met. What is red now was green without this work: it clashes with something that is finished and must stay as it is. Keep what is right, and make it fit.';

export function messagesFor(run: Run, task: TaskState): string {
  const answers = task.dialogue.answered.map(
    ({ question, text }) => `You asked: ${clipped(question, 1000)}\n  The answer: ${text}`,
  );
  const lines = [...run.messages, ...answers];
  return lines.length === 0
    ? ''
    : `## The person who started this says\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

export function failedChecks(run: Run, task: TaskState): Evidence[] {
  return task.spec.criteria.flatMap((criterion) => {
    if (!isByMachine(criterion) || !isRequired(run, task, criterion)) return [];
    if (criterion.check.kind === 'held-out') return [];
    const evidence = task.evidence.get(criterion.id);
    const newest = evidence?.acceptance?.tree === task.workTree ? evidence?.acceptance : evidence?.attempt;
    return newest === undefined || newest.verdict === 'pass' ? [] : [newest];
  });
}

function describe(evidence: Evidence): string {
  const where = evidence.place === 'clean' ? ', on a clean checkout without untracked or ignored files' : '';
  const head = `### \`${evidence.command ?? evidence.criterionId}\``;
  const reason = `${withoutFullStop(evidence.reason)}${where}`;
  // The output belongs to a check that passed: it would mislead.
  if (refusalOf(evidence) !== undefined) return `${head} passed, and that does not count: ${reason}`;
  return `${head}: ${reason}\n\n${fencedOutput(shownOutput(evidence, tailMax))}`;
}
