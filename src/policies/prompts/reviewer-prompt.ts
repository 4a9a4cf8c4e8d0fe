import { present } from '#kernel/assert.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import { listChecks } from './builder-prompt.ts';
import { render, withoutMarkerLines } from './render.ts';

/** Contract: never carries the builder's own words; the reviewer looks at the files. */
export function reviewerPrompt(run: Run, task: TaskState, roleName: string): string {
  const role = present(run.config.roles[roleName], `role ${roleName} is configured`);
  const prompt = render(role.prompt, {
    goal: task.spec.description,
    task: task.spec.title,
    attempt: String(task.attempt),
    checks: listChecks(task),
    evidence: listEvidence(task),
    base: task.base?.commit ?? '',
    report:
      task.report === null ? '' : `## Your predecessor's report on an earlier attempt\n\n${task.report}`,
    done: role.words.done,
    tag: role.words.reportTag ?? 'report',
  });
  return withoutMarkerLines(prompt, role.words.done);
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
