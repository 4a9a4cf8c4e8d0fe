// The architect's prompt: the goal, the map, git's history, finished tasks, and the logs of failures.
import { present } from '#base/assert.ts';
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import { driftText } from '#kernel/planning/stuck-run.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { Survey } from '#kernel/planning/plan.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';
import { failedChecks } from './feedback.ts';
import { isStillPlanned } from './reflector-prompt.ts';
import { clipped, fenced, fencedOutput, render, withoutMarkerLines } from './render.ts';

/** Per failed check; several tasks may have failed, and the map needs its room. */
const tailMax = 2000;
/** For all unfinished tasks together; the ones beyond are only named. */
const openMax = 24_000;
/** Tasks that are listed one by one. */
const doneMax = 200;

export function architectPrompt(run: Run, { map, memory }: Survey): string {
  const role = present(run.config.roles['architect'], 'the preset has an architect');
  const { planning } = run.config.policy;
  const prompt = render(role.prompt, {
    goal: run.config.goal,
    constraints: section('What the plan must keep to', planning?.constraints ?? ''),
    map: map === '' ? '(there is nothing yet)' : map,
    memory,
    done: `${section('Done already; these stay as they are', listDone(run))}${section('Still to do by the plan so far; list them again as they are, changed, or under "dropped"', listOpen(run))}`,
    failed: section('Why a new plan is wanted', listFailed(run)),
    problems: lastAnswer(run),
    told: section('The person who started this says', run.messages.map((line) => `- ${line}`).join('\n')),
  });
  return withoutMarkerLines(prompt, role.words.done);
}

function section(title: string, text: string): string {
  return text === '' ? '' : `\n## ${title}\n${text}\n`;
}

function listDone(run: Run): string {
  const done = [...run.tasks.values()].filter(({ status }) => status.is === 'landed');
  const lines = done.slice(-doneMax).map(({ spec }) => `- ${spec.id}: ${spec.title}`);
  if (done.length > doneMax) lines.unshift(`- (${done.length - doneMax} earlier ones)`);
  return lines.join('\n');
}

function listOpen(run: Run): string {
  const open = [...run.tasks.values()].filter((task) => isStillPlanned(task) && task.origin.by !== 'policy');
  let room = openMax;
  return open
    .slice(0, doneMax)
    .map(({ spec }) => {
      const full = inFull(spec);
      room -= full.length;
      return room > 0 ? full : `- ${spec.id}: ${spec.title}`;
    })
    .join('\n');
}

/** In full, because the architect cannot keep what it is not shown. */
function inFull(task: Task): string {
  const { id, title, description, files, creates = [], hints, dependsOn, domain, criteria } = task;
  const list = (word: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${word}: ${items.join(', ')}`];
  const lines = [
    `- ${id}: ${title}`,
    description,
    ...list(
      'files',
      files.filter((path) => !creates.includes(path)),
    ),
    ...list('creates', creates),
    ...list('after', dependsOn),
    ...list('domain', domain === null ? [] : [domain]),
    ...hints.map((hint) => `hint: ${hint}`),
    ...criteria
      .filter(({ guard }) => guard !== true)
      .filter(({ check }) => check.kind === 'human' || (isMachineCheck(check) && check.kind !== 'held-out'))
      .map(
        (one) =>
          `${one.kind === 'entry' ? 'entry' : 'done when'}: ${one.text} (\`${describeCheck(one.check)}\`${one.required ? '' : ', "required": false'}${one.when === 'attempt' ? '' : ', "when": "acceptance"'})`,
      ),
  ];
  return clipped(lines.join('\n'), tailMax).replaceAll('\n', '\n  ');
}

function listFailed(run: Run): string {
  const { wanted, broken, astray } = run.plan;
  if (wanted === null || wanted.cause === 'start') return '';
  const parts = [...(astray === null || wanted.cause === 'drift' ? [] : [driftText(astray)]), wanted.why];
  for (const id of broken) {
    const task = run.tasks.get(id);
    if (task !== undefined) parts.push(...logsOf(run, task));
  }
  return parts.join('\n\n');
}

/** The architect's new session has not seen its last plan, so the prompt shows it with its problems. */
function lastAnswer({ plan: { draft, problems } }: Run): string {
  const before = draft === null ? '' : fenced(clipped(draft, openMax));
  const wrong = problems.map((problem) => `- ${problem}`).join('\n');
  return `${section('Your last answer', before)}${section('Your last answer could not be used; fix this', wrong)}`;
}

function logsOf(run: Run, task: TaskState): string[] {
  const { id, title } = task.spec;
  const attempts = task.failures.trail.map(({ kind }, index) => `${index + 1}: ${kind}`).join(', ');
  return [
    `### ${id} (${title}), ${task.attempt - task.forgiven} attempts${attempts === '' ? '' : ` (${attempts})`}`,
    ...(task.origin.by === 'policy' ? [] : [`As it was planned:\n${inFull(task.spec)}`]),
    ...failedChecks(run, task).map(
      (session) =>
        `\`${session.command ?? session.criterionId}\`: ${session.reason}\n${fencedOutput(shownOutput(session, tailMax))}`,
    ),
    ...(task.reviewers.report === null ? [] : [clipped(task.reviewers.report, tailMax)]),
  ];
}
