// The reflector's prompt: does the completed work serve the goal?
import { present } from '#base/assert.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { render, withoutMarkerLines } from './render.ts';

export const reflectorTemplate = `You are the reflector. You change nothing, and nobody can answer questions. The checkout you are in holds the work so far.

## The original goal
{{goal}}

## Completed tasks ({{progress}})
{{done}}

## Still planned
{{open}}

## Your question
Does the completed work serve the original goal? Judge the direction, not the polish: work that is missing but planned is no drift; work that nobody asked for, or that makes the goal harder to reach, is.

Your last message must hold your answer as JSON, {"aligned": true or false, "reason": "one sentence"}, with <reflection> on a line of its own before it and </reflection> on a line of its own after it, outside of any code block.
`;

/** Includes tasks that wait for an answer. */
export function isStillPlanned({ status }: TaskState): boolean {
  return !['landed', 'skipped', 'dropped', 'failed'].includes(status.is);
}

/** Enough to judge the direction; a long campaign has more tasks than a prompt holds. */
const tasksMax = 100;

export function reflectorPrompt(run: Run): string {
  const role = present(run.config.roles['reflector'], 'the preset has a reflector');
  const tasks = [...run.tasks.values()];
  const done = tasks.filter(({ status }) => status.is === 'landed');
  const open = tasks.filter(isStillPlanned);
  const list = (some: typeof tasks): string =>
    some.length === 0
      ? '- (none)'
      : some
          .slice(-tasksMax)
          .map(({ spec }) => `- ${spec.id}: ${spec.title}`)
          .join('\n');
  const prompt = render(role.prompt, {
    goal: run.config.goal,
    progress: `${done.length} of ${done.length + open.length}`,
    done: list(done),
    open: list(open),
  });
  return withoutMarkerLines(prompt, role.words.done);
}
