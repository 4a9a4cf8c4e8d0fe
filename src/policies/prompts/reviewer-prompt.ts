import { isExit } from '#kernel/model/criterion.ts';
import { present } from '#base/assert.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { verdictTag } from '#policies/signals/verdict-reader.ts';
import { listChecks } from './builder-prompt.ts';
import { tamperedText } from './tampered.ts';
import { mentions, render, withoutMarkerLines } from './render.ts';

/** Contract: never carries the builder's own words; `{{diff}}` is filled in when the session starts. */
export function reviewerPrompt(run: Run, task: TaskState, roleName: string): string {
  const role = present(run.config.roles[roleName], `role ${roleName} is configured`);
  const diff = mentions(role.prompt, 'diff') ? '' : '\n\n## What was changed\n\n{{diff}}';
  const doubt = mentions(role.prompt, 'doubt') ? '' : '\n\n{{doubt}}';
  const prompt = render(role.prompt + diff + doubt, {
    role: roleName,
    goal: withoutPlaceholder(task.spec.description),
    task: withoutPlaceholder(task.spec.title),
    criteria: listCriteria(task),
    attempt: String(task.attempt),
    checks: listChecks(task),
    evidence: listEvidence(task),
    base: task.base?.commit ?? '',
    diff: '{{diff}}',
    report:
      task.reviewers.report === null
        ? ''
        : `## Your predecessor's report on an earlier attempt\n\n${withoutPlaceholder(task.reviewers.report)}`,
    doubt: doubtOf(task, roleName),
    done: role.words.done,
    tag: role.words.reportTag ?? 'report',
    verdict: verdictTag,
  });
  return withoutMarkerLines(prompt + tamperedText(run, task), role.words.done);
}

/** Only the template's own `{{diff}}` may be filled in later. */
function withoutPlaceholder(text: string): string {
  return text.replaceAll('{{diff}}', '{{ diff }}');
}

function listCriteria(task: TaskState): string {
  const exit = task.spec.criteria.filter(
    (one) => isExit(one) && one.check.kind !== 'reviewer' && one.check.kind !== 'held-out',
  );
  if (exit.length === 0) return '';
  const lines = exit.map(({ id, text }) => `- ${id}: ${withoutPlaceholder(text)}`);
  return `It is done when all of this holds:\n\n${lines.join('\n')}`;
}

function listEvidence(task: TaskState): string {
  const lines = [...task.evidence.values()].flatMap(({ base, attempt }) =>
    attempt === undefined || attempt.command === null
      ? []
      : [
          `- \`${attempt.command}\`: ${attempt.verdict} (${attempt.reason}); before the work began: ${base?.verdict ?? 'not run'}`,
        ],
  );
  return lines.length === 0 ? '- (no check is configured: you are the only one who looks)' : lines.join('\n');
}

function doubtOf(task: TaskState, role: string): string {
  const doubt = task.inspection.reviews.get(role)?.doubt ?? null;
  if (doubt === null) return '';
  return `## Why you are asked again\n\nAn earlier review of this very work settled nothing: ${withoutPlaceholder(doubt)}. Review it again yourself. Report only what you can show, with a command that fails because of it, or pass it. End with your verdict in one of the forms above: a review without one counts for nothing.`;
}
