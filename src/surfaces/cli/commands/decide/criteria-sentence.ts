// `criteria explain "a sentence"`: which checks it would become, how certain that is, and why.
import type { inferChecks } from '#app/run/infer-checks.ts';
import { criteriaOf, defaultCheckTimeoutMs } from '#tasks/criteria/checks.ts';
import { readSentence } from '#tasks/markdown-criteria.ts';
import type { CheckEntry } from '#tasks/criteria/check-schema.ts';
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import { OperatorError } from '#base/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { openHereToRead } from '#surfaces/cli/open-here.ts';

export interface Explaining {
  readonly isJson: boolean;
  /** It could have been meant as the id of a criterion. */
  readonly isLikeId: boolean;
}

export async function explainSentence(sentence: string, { isJson, isLikeId }: Explaining): Promise<number> {
  const written = readSentence(sentence, '');
  if ('problem' in written)
    throw new OperatorError(
      'bad-criterion',
      `The sentence cannot be read: ${written.problem}.`,
      'For example: untildone criteria explain "it works (check: npm test)"',
    );
  const { check } = written.criterion;
  const text = check === null ? sentence : written.criterion.text;
  const found = check === null ? await inferredFrom(text) : namedBy(check);
  if (found === undefined) return 0;
  if (isJson) printJson(found);
  else
    print([...lines(text, found), ...(isLikeId ? ['  Id:       no criterion has this id'] : [])].join('\n'));
  return 0;
}

async function inferredFrom(text: string): Promise<InferredCheck | undefined> {
  const { inferChecks: find } = await import('#app/run/infer-checks.ts');
  const [found] = await find(await openHereToRead(), [text], defaultCheckTimeoutMs);
  return found;
}

/** The sentence itself names its check, as in a task file. */
function namedBy(entry: CheckEntry): InferredCheck {
  const [criterion] = entry === 'human' ? [] : criteriaOf([entry], defaultCheckTimeoutMs);
  if (criterion === undefined || !isMachineCheck(criterion.check))
    return { kind: 'ask', why: 'the sentence says that a person decides', suggestion: null };
  const { check } = criterion;
  const why = 'the sentence names its check';
  return { kind: 'checks', checks: [check], confidence: 1, why, isSuggestion: false };
}

type InferredCheck = Awaited<ReturnType<typeof inferChecks>>[number];

function lines(text: string, found: InferredCheck): string[] {
  if (found.kind === 'ask') {
    const tip = found.suggestion === null ? [] : [`  Instead:  ${found.suggestion}`];
    return [text, '  Check:    none; a person would be asked', `  Why:      ${found.why}`, ...tip];
  }
  const [first, ...others] = found.checks.map((check) => `${check.kind}: ${describeCheck(check)}`);
  const sure = `${Math.round(found.confidence * 100)} %`;
  return [
    text,
    `  Check:    ${first ?? ''}`,
    ...others.map((other) => `            ${other}`),
    `  How sure: ${sure}${found.isSuggestion ? '; a suggestion only: a person would be asked' : ''}`,
    `  Why:      ${found.why}`,
  ];
}
