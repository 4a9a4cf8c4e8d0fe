// `criteria` and `criteria explain`: lists the criteria of a run, and explains one criterion or sentence.
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { pickTask } from '#surfaces/cli/pick/pick-task.ts';
import { criteriaOf, type CriterionView } from '#views/status/criteria.ts';
import { criteriaJson, criteriaText, explainText } from '#views/status/criteria-list.ts';

export interface CriteriaOptions {
  readonly json?: boolean;
  readonly run?: string;
  readonly task?: string;
}

export async function criteriaCommand(name: string | undefined, options: CriteriaOptions): Promise<number> {
  const { run } = await pickToRead(name ?? options.run, 'criteria');
  if (options.json === true) printJson(criteriaJson(run));
  else print(criteriaText(run));
  return 0;
}

/** For an id, shows its criterion; for a sentence, shows the checks it would become, without a run. */
export async function explainCommand(name: string, options: CriteriaOptions): Promise<number> {
  const text = name.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?/, '').trim();
  if (text === '')
    throw new OperatorError(
      'no-sentence',
      'There is no sentence to explain.',
      'For example: untildone criteria explain "the tests pass"',
    );
  const known = /\s/.test(text) ? null : await knownCriterion(text, options);
  if (known === null) {
    const { explainSentence } = await import('./criteria-sentence.ts');
    return explainSentence(text, {
      isJson: options.json === true,
      isLikeId: /^[\w.-]*[\w][_-][\w.-]*$/.test(text),
    });
  }
  if (options.json === true) printJson(known.criterion);
  else print(explainText(known.run, known.criterion));
  return 0;
}

/** Null for one word that is no id of the run and has no numbered form: `Compiles.`, `tests-pass`. */
async function knownCriterion(
  id: string,
  options: CriteriaOptions,
): Promise<{ readonly run: Run; readonly criterion: CriterionView } | null> {
  try {
    const { run } = await pickToRead(options.run, `criteria explain ${id} --run`);
    return { run, criterion: pickCriterion(run, id, options.task) };
  } catch (error) {
    const isId =
      /^[A-Za-z]+(?:[_.-]?\d+)+$/.test(id) || options.run !== undefined || options.task !== undefined;
    const isUnknown =
      error instanceof OperatorError && ['no-run', 'several-runs', 'no-criterion'].includes(error.code);
    if (isId || !isUnknown) throw error;
    return null;
  }
}

function pickCriterion(run: Run, id: string, taskName: string | undefined): CriterionView {
  const taskId = taskName === undefined ? null : pickTask(run, taskName).spec.id;
  const all = [...criteriaOf(run, 'entry'), ...criteriaOf(run)].filter(
    (criterion) => taskId === null || criterion.taskId === taskId,
  );
  const [one, ...others] = all.filter((criterion) => criterion.id === id);
  if (one === undefined)
    throw new OperatorError(
      'no-criterion',
      `${taskId === null ? `The run ${run.id}` : `Task ${taskId}`} has no criterion "${id}".`,
      `Its criteria: ${[...new Set(all.map((criterion) => criterion.id))].join(', ')}`,
    );
  if (others.length > 0)
    throw new OperatorError(
      'several-criteria',
      `Several tasks have a criterion ${id}.`,
      `Add --task with one of ${[one, ...others].map((criterion) => criterion.taskId).join(', ')}.`,
    );
  return one;
}
