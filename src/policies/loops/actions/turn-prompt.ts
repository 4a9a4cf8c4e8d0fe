// The prompt of a turn: everything for a new conversation, only the news for a resumed one.
import { present } from '#base/assert.ts';
import type { ActionName, TurnWay } from '#kernel/actions/action.ts';
import { actionNames } from '#kernel/actions/action.ts';
import { iterationsMax } from '#kernel/actions/action-loop.ts';
import { durationWords } from '#base/duration-words.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { listChecks, own } from '#policies/prompts/builder-prompt.ts';
import { feedback } from '#policies/prompts/feedback.ts';
import { clipped, fenced, mentions, render } from '#policies/prompts/render.ts';
import { actionFormat, withoutActionBlocks } from '#policies/signals/action-format.ts';
import { againTemplate, turnTemplate, wrapUpRequest } from './action-texts.ts';
import { refusedWish } from './next-action.ts';
import { actionsOf } from './settings.ts';

export interface TurnText {
  readonly action: ActionName;
  readonly way: TurnWay;
  readonly isResumed: boolean;
  /** Whether the prompt has a `{{memory}}` that is filled in when the session starts. */
  readonly showsChanges: boolean;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Results of earlier turns that a fresh session sees. */
const resultsShown = 3;
/** Characters of the output of a session that was cut short. */
const previousMax = 4000;

export function turnPrompt(run: Run, task: TaskState, text: TurnText): string {
  const { action, way, isResumed, showsChanges } = text;
  if (isResumed && way === 'converge') return joined([wrapUpRequest, actionFormat(), messagesNow(run, task)]);
  if (isResumed && way === 'again') return joined([againPrompt(task, action), messagesNow(run, task)]);
  const values = own({
    ...withoutBlocks({ ...sharedValues(run, task, action), ...loopValues(run, task) }),
    format: actionFormat(),
  });
  if (isResumed) return render(turnTemplate, values);
  const spawned = spawn(run, { ...values, changes: showsChanges ? '{{memory}}' : '' });
  return way === 'again' ? joined([spawned, againPrompt(task, action)]) : spawned;
}

/** Reach the session even if the repository's template does not mention them. */
const needed = [
  'feedback',
  'results',
  'previous',
  'actions',
  'format',
  'changes',
  'told',
  'refused-wish',
  'this-turn',
] as const;

function spawn(run: Run, values: { readonly [name in (typeof needed)[number]]: string }): string {
  const { prompt } = present(run.config.roles['builder'], 'the preset has a builder');
  const missing = needed.filter((name) => !mentions(prompt, name)).map((name) => values[name]);
  return joined([render(prompt, values), ...missing]);
}

function againPrompt({ actions }: TaskState, action: ActionName): string {
  const problems = withoutActionBlocks(actions.problems.map((problem) => `- ${problem}`).join('\n'));
  return render(againTemplate, { problems, action, format: actionFormat() });
}

function sharedValues(run: Run, task: TaskState, action: ActionName) {
  const { chosen, state } = task.actions;
  return {
    action,
    // The report of an earlier turn was already sent.
    feedback: task.failures.last === null ? '' : feedback(run, task),
    state: `${fenced(JSON.stringify(state, null, 2))}${notTaken(task)}`,
    instructions: textOf(run, action),
    'this-turn': `## This turn: ${action}\n\nDo ${action} now, as described under "The actions".${chosenText(chosen)}`,
    'refused-wish': refusedWish(run, task, action) ?? '',
    told: messagesNow(run, task),
  };
}

/** A client that echoes its prompt must not seem to report, so texts of others keep no action block. */
function withoutBlocks<T extends { readonly [name: string]: string }>(values: T): T {
  const entries = Object.entries(values).map(([name, text]) => [name, withoutActionBlocks(text)]);
  return Object.fromEntries(entries) as T;
}

/** The values that only a fresh session needs. */
function loopValues(run: Run, task: TaskState) {
  const { mode, turnTimeoutMs, project } = actionsOf(run);
  const { iteration } = task.actions;
  return {
    role: textOf(run, 'role'),
    goal: task.spec.description,
    'loop-id': run.id,
    mode,
    iteration: String(iteration),
    'max-iterations': String(iterationsMax(run, task)),
    checks: listChecks(task),
    'turn-time': durationWords(turnTimeoutMs),
    actions: actionNames.map((name) => `### ${name}\n\n${textOf(run, name)}`).join('\n\n'),
    project: project.map(({ path, text }) => `## ${path}\n\n${fenced(text)}`).join('\n\n'),
    results: lastResults(task),
    previous: previousText(task),
  };
}

function notTaken({ actions }: TaskState): string {
  const problems = actions.taken.at(-1)?.problems ?? [];
  return problems.length === 0 ? '' : `\n\nNot applied from your last report: ${problems.join(' ')}`;
}

function textOf(run: Run, name: string): string {
  return actionsOf(run).texts[name.toLowerCase()] ?? '';
}

function chosenText(chosen: TaskState['actions']['chosen']): string {
  if (chosen === null) return '';
  const data =
    chosen.data === null || chosen.data === undefined
      ? ''
      : `\n\nAdditional data:\n\n${fenced(JSON.stringify(chosen.data, null, 2))}`;
  const text = chosen.text === '' ? '' : `\n\nThe person says:\n\n${chosen.text}`;
  return `\n\nA person chose this action.${text}${data}`;
}

/** Only the messages that were not sent yet: a resumed conversation knows the others. */
function messagesNow(run: Run, task: TaskState): string {
  const lines = [...run.messages, ...task.dialogue.unsent];
  if (lines.length === 0) return '';
  return `## The person who started this says\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function lastResults({ actions }: TaskState): string {
  const last = actions.taken.slice(-resultsShown);
  if (last.length === 0) return '';
  const lines = last.map(
    ({ iteration, action, status, message }) =>
      `- Turn ${iteration}, ${action}: ${status}. ${clipped(message, 1000)}`,
  );
  return `Results of the last turns:\n\n${lines.join('\n')}`;
}

function previousText({ actions }: TaskState): string {
  if (actions.previousOutput.trim() === '') return '';
  return `The session before this one was cut short. It said at last:\n\n${fenced(clipped(actions.previousOutput, previousMax))}`;
}
