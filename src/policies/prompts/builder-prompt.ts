import type { Run, TaskState } from '#kernel/fold/run.ts';
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import { present } from '#base/assert.ts';
import { focusText, listCriteria } from './criteria-list.ts';
import { feedback, messagesFor } from './feedback.ts';
import { mentions, render, withoutMarkerLines } from './render.ts';

export function builderPrompt(run: Run, task: TaskState, attempt: number, criterionId?: string): string {
  const role = present(run.config.roles['builder'], 'the preset has a builder');
  const values = own({
    goal: task.spec.description,
    task: task.spec.title,
    attempt: String(attempt),
    checks: listChecks(task),
    focus: focusText(task, criterionId),
    criteria: listCriteria(task),
    hints: task.spec.hints.length === 0 ? '- (none)' : task.spec.hints.map((hint) => `- ${hint}`).join('\n'),
    feedback: feedback(run, task, criterionId),
    told: messagesFor(run, task),
    done: role.words.done,
    ask: howToAsk(role.words.needsInput),
  });
  // The failures must reach the builder even if the template does not mention them.
  const missing = (['focus', 'feedback', 'told', 'ask'] as const)
    .filter((name) => !mentions(role.prompt, name))
    .map((name) => values[name]);
  const prompt = [render(role.prompt, values), ...missing].filter((part) => part !== '').join('\n\n');
  const { done, needsInput = done } = role.words;
  return withoutMarkerLines(withoutMarkerLines(prompt, done), needsInput);
}

/** Escapes placeholders in the values: only the template's own may be filled in when the session starts. */
export function own<T extends { readonly [name: string]: string }>(values: T): T {
  const entries = Object.entries(values).map(([name, text]) => [
    name,
    text.replaceAll(/\{\{(files|memory)\}\}/g, '{{ $1 }}'),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The marker is inside a sentence on purpose, like the one for done. */
export function howToAsk(marker: string | undefined): string {
  if (marker === undefined) return '';
  return `Nobody sits beside you. If you cannot go on without a decision that is a person's alone to make, and nothing in the repository answers it, end your last message with the marker ${marker} on a line of its own and your question after it, and nothing else. The task then waits for the answer, and the next session gets it. Such a message never counts as done.`;
}

export function listChecks(task: TaskState): string {
  const lines = task.spec.criteria.flatMap((criterion) =>
    isMachineCheck(criterion.check) && criterion.check.kind !== 'held-out'
      ? [`- \`${describeCheck(criterion.check)}\``]
      : [],
  );
  return lines.length === 0
    ? '- (none is configured; a reviewer will try to find what does not work)'
    : lines.join('\n');
}
