// `criteria` and `criteria explain`: what must be true, and where it stands.
import { OperatorError } from '#ports/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { openHere } from '#surfaces/cli/site.ts';
import { criteriaOf } from '#views/criteria.ts';
import { criteriaJson, criteriaText, explainText } from '#views/criteria-list.ts';

export interface CriteriaOptions {
  readonly json?: boolean;
  readonly run?: string;
}

export async function criteriaCommand(name: string | undefined, options: CriteriaOptions): Promise<number> {
  const { run } = await pickRun(await openHere(), name ?? options.run, {
    command: 'criteria',
    orNewest: true,
  });
  if (options.json === true) printJson(criteriaJson(run));
  else print(criteriaText(run));
  return 0;
}

/** Of an id what is known of it; of a sentence what would be made of it, without a run. */
export async function explainCommand(id: string, options: CriteriaOptions): Promise<number> {
  if (/\s/.test(id.trim())) {
    const { explainSentence } = await import('./criteria-sentence.ts');
    return explainSentence(id, options.json === true);
  }
  const { run } = await pickRun(await openHere(), options.run, {
    command: `criteria explain ${id} --run`,
    orNewest: true,
  });
  const all = [...criteriaOf(run, 'entry'), ...criteriaOf(run)];
  const one = all.find((criterion) => criterion.id === id);
  if (one === undefined)
    throw new OperatorError(
      'no-criterion',
      `The run ${run.id} has no criterion "${id}".`,
      `Its criteria are ${all.map((criterion) => criterion.id).join(', ')}.`,
    );
  if (options.json === true) printJson(one);
  else print(explainText(run, one));
  return 0;
}
