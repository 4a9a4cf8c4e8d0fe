// Builds a task to add to a running run: its own criteria, plus those that every task of the run must pass.
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { readSentence } from './markdown-criteria.ts';
import { didYouMean } from '#base/suggest.ts';
import { idProblem, normalRank, pathProblem, rankOf } from './task-fields.ts';
import { type Infer, toCriteria, type WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { plainTask, taskText, type WrittenTask } from './written-task.ts';

export interface Adding {
  readonly timeoutMs: number;
  readonly infer: Infer;
}

export async function addedTask(run: Run, written: WrittenTask, { timeoutMs, infer }: Adding): Promise<Task> {
  const common = commonCriteria(run);
  const own = await addedCriteria(run, written.criteria, common, { timeoutMs, infer });
  const agents = chosenAgents(run.config, written.agents);
  return {
    id: written.id,
    title: written.title,
    description: taskText(written),
    files: written.scope,
    hints: [],
    dependsOn: written.dependsOn,
    domain: written.domain,
    criteria: [...own, ...common],
    mayChange: [...run.config.mayChange, ...written.mayChange],
    ...(written.isSecurityCritical ? { securityCritical: true } : {}),
    ...(written.rank === normalRank ? {} : { rank: written.rank }),
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
  };
}

/** Uses the settings of the run; `there`: criteria whose ids are taken. */
export function addedCriteria(
  run: Run,
  written: readonly WrittenCriterion[],
  there: readonly Criterion[],
  { timeoutMs, infer }: Adding,
): Promise<Criterion[]> {
  const { loops } = run.config.policy;
  return toCriteria(written, {
    timeoutMs,
    taken: there.map(({ id }) => id),
    loops: loops ?? { autoInferVerification: true, suggestBrowserTests: true },
    infer,
  });
}

/** Checks, reviewers, hooks and held-out checks that all tasks share. */
function commonCriteria(run: Run): readonly Criterion[] {
  const { planning } = run.config.policy;
  if (planning !== undefined) return planning.everyTask;
  const [first, ...others] = run.tasks.values();
  return (first?.spec.criteria ?? []).filter(
    (criterion) =>
      criterion.origin === undefined &&
      others.every(({ spec }) =>
        spec.criteria.some((one) => JSON.stringify(one) === JSON.stringify(criterion)),
      ),
  );
}

/** By role, among the agents that the run was started with. */
export function chosenAgents(
  config: Pick<RunConfig, 'agents' | 'roles'>,
  agents: WrittenTask['agents'],
): { [role: string]: AgentChoice } {
  const choices: { [role: string]: AgentChoice } = {};
  const names = Object.keys(config.agents);
  for (const [role, text] of Object.entries(agents)) {
    const [name = '', ...model] = names.includes(text) ? [text] : text.split(':');
    refuseUnknown('role', role, Object.keys(config.roles));
    refuseUnknown('agent', name, names);
    choices[role] = { name, model: model.length === 0 ? null : model.join(':') };
  }
  return choices;
}

function refuseUnknown(what: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  throw new OperatorError(
    `unknown-${what}`,
    `This run was started without the ${what} "${word}".`,
    didYouMean(word, known) ?? `It has ${known.join(', ')}.`,
  );
}

export interface TaskWords {
  readonly title: string;
  readonly id: string;
  readonly description: string;
  /** As list items in markdown, with or without an id, a check and remarks. */
  readonly criteria: readonly string[];
  readonly scope: readonly string[];
  readonly dependsOn: readonly string[];
  readonly mayChange: readonly string[];
  /** As in a task file: critical, high, medium, low. */
  readonly priority: string | undefined;
}

/** A task given on the command line; `dependsOn` holds ids. */
export function taskOfWords(written: TaskWords): WrittenTask {
  const { title, id, description, criteria, priority, ...words } = written;
  const rank = priority === undefined ? { value: normalRank } : rankOf(priority);
  const problem =
    ('problem' in rank ? rank.problem : null) ??
    (title.trim() === '' ? 'the title is empty' : null) ??
    idProblem(id) ??
    pathProblem('scope', words.scope) ??
    pathProblem('mayChange', words.mayChange);
  if (problem !== null)
    throw new OperatorError('bad-task', `${problem[0]?.toUpperCase() ?? ''}${problem.slice(1)}.`, example);
  return plainTask(
    {
      ...words,
      id,
      title: title.trim(),
      text: description,
      criteria: criteria.map(criterionOf),
      ...('value' in rank ? { rank: rank.value } : {}),
    },
    'the command line',
  );
}

const example = 'For example: untildone add-task "Log out" --criterion "the button works (check: npm test)"';

function criterionOf(text: string): WrittenCriterion {
  const read = readSentence(text, 'the command line');
  if ('problem' in read)
    throw new OperatorError('bad-criterion', `--criterion "${text}": ${read.problem}.`, example);
  return read.criterion;
}
