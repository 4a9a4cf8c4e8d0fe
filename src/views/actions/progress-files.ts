// Progress files of an action loop for people: written from the journal in UTC, and never read back.
import { isAgentAction } from '#kernel/actions/action.ts';
import type { ActionName } from '#kernel/actions/action.ts';
import type { TakenAction } from '#kernel/actions/action-loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { hypothesesOf, tasksOf } from '#kernel/actions/action-state.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { utc } from '#views/words.ts';
import { loopEnding, loopResult, loopTask } from './loop-state.ts';

/** By file name; empty for a run of another preset. */
export function progressFiles(run: Run): { readonly [name: string]: string } {
  const task = loopTask(run);
  if (task === null) return {};
  const each = (of: (one: TaskState) => readonly string[]): string[] =>
    [...run.tasks.values()].flatMap((one) => [...headingOf(run, one), ...of(one)]);
  return {
    'develop.md': page(
      'Development',
      each((one) => [taskLines(one), turns(one, ['INIT', 'DEVELOP'])]),
    ),
    'debug.md': page(
      'Debugging',
      each((one) => [hypothesisLines(one), turns(one, ['DEBUG'])]),
    ),
    'validate.md': page('Validation', [
      criteriaLines(run),
      ...each((one) => [turns(one, ['VALIDATE', 'COMPLETE'])]),
    ]),
    'changes.log': [...run.tasks.values()].map(changes).join(''),
    'summary.md': page('Summary', [summary(run, task), ...each((one) => [turns(one, null)])]),
  };
}

function headingOf({ tasks }: Run, { spec }: TaskState): string[] {
  return tasks.size < 2 ? [] : [`## Task ${spec.id}: ${spec.title}`];
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

function turns({ actions }: TaskState, names: readonly ActionName[] | null): string {
  const taken = actions.taken.filter(({ action }) => names === null || names.includes(action));
  if (taken.length === 0) return 'Nothing yet.';
  return taken.map(turn).join('\n\n');
}

function turn(taken: TakenAction): string {
  const { at, iteration, action, status, message, filesUpdated, problems } = taken;
  const head = `## ${utc(at)}: ${action}, ${status} (iteration ${iteration})`;
  const files = filesUpdated.length === 0 ? '' : `Files reported: ${filesUpdated.join(', ')}`;
  const left = problems.length === 0 ? '' : `Not applied: ${problems.join(' ')}`;
  return [head, message, files, left].filter((part) => part !== '').join('\n\n');
}

function taskLines({ actions }: TaskState): string {
  const marks: { readonly [status: string]: string } = { done: 'x', in_progress: '~' };
  return tasksOf(actions.state)
    .map(({ id, title, status }) => `- [${marks[status] ?? ' '}] ${id}: ${title}`)
    .join('\n');
}

function hypothesisLines({ actions }: TaskState): string {
  return hypothesesOf(actions.state)
    .map(({ id, text, evidence, status }) => `- ${id} (${status}): ${text}\n  Evidence: ${evidence}`)
    .join('\n');
}

function criteriaLines(run: Run): string {
  return criteriaOf(run)
    .map(({ id, text, state }) => `- ${id} (${state}): ${text}`)
    .join('\n');
}

/** One line for each turn that left other files than the turn before. */
function changes({ actions, start }: TaskState): string {
  let before = start.tree;
  const lines: string[] = [];
  for (const { at, iteration, action, tree, filesUpdated } of actions.taken) {
    if (tree === null || tree === before || !isAgentAction(action)) continue;
    const files = filesUpdated.length === 0 ? '(the agent reported no files)' : filesUpdated.join(', ');
    lines.push(`${utc(at)} iteration ${iteration} ${action} ${short(before)}..${short(tree)} ${files}`);
    before = tree;
  }
  return lines.map((line) => `${line}\n`).join('');
}

function short(tree: string | null): string {
  return tree === null ? 'start' : tree.slice(0, 10);
}

function summary(run: Run, task: TaskState): string {
  const result = loopResult(run);
  const { current_iteration: done = 0, max_iterations: most = 0 } = result?.final_state ?? {};
  const reason = run.outcome === null ? '' : `${run.outcome.outcome}: ${run.outcome.reason}`;
  return [
    `- Loop: ${run.id}`,
    `- Goal: ${task.spec.title}`,
    `- Iterations: ${done} of at most ${most}`,
    `- Status: ${result?.status ?? ''}`,
    ...(reason === '' ? [] : [`- Outcome: ${reason}`]),
    ...(loopEnding(run) === null ? [] : ['', `${loopEnding(run)}.`]),
  ].join('\n');
}
