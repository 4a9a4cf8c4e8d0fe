// `criteria explain "a sentence"`: which checks it would become, how sure that is, and why.
import type { inferChecks } from '#compose/infer-checks.ts';
import { defaultCheckTimeoutMs } from '#config/defaults.ts';
import { describeCheck } from '#kernel/check.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { openHereToRead } from '#surfaces/cli/site.ts';

export interface Explaining {
  readonly isJson: boolean;
  /** It could have been meant as the id of a criterion. */
  readonly isLikeId: boolean;
}

export async function explainSentence(text: string, { isJson, isLikeId }: Explaining): Promise<number> {
  const { inferChecks: find } = await import('#compose/infer-checks.ts');
  const [found] = await find(await openHereToRead(), [text], defaultCheckTimeoutMs);
  if (found === undefined) return 0;
  if (isJson) printJson(found);
  else
    print([...lines(text, found), ...(isLikeId ? ['  Id:       no criterion has this id'] : [])].join('\n'));
  return 0;
}

type Found = Awaited<ReturnType<typeof inferChecks>>[number];

function lines(text: string, found: Found): string[] {
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
    `  How sure: ${sure}${found.isSuggestion ? '; only offered, so a person would be asked' : ''}`,
    `  Why:      ${found.why}`,
  ];
}
