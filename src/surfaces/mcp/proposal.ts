// Turns an agent's proposal into a change of criteria that a person can accept.
import { type Fields, textOf } from '#app/rpc.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { OwnRun } from './own-run.ts';
import type { CriteriaChange } from '#kernel/model/criterion.ts';

/** The limit of one field of a proposal; the run limits the whole. */
const charsMax = 4000;

export async function proposalOf({ task, by }: OwnRun, input: Fields): Promise<CriteriaChange> {
  if (Object.values(input).some((each) => textOf(each).length > charsMax))
    throw new OperatorError('bad-argument', 'The proposal is too long.', 'Use a few sentences.');
  const skip = textOf(input['skip']).trim();
  if (skip !== '') return { kind: 'skip', criterionId: skip };
  const text = textOf(input['text']).trim();
  const check = textOf(input['check']).trim();
  const { toCriteria } = await import('#tasks/criteria/written-criteria.ts');
  const { defaultCheckTimeoutMs } = await import('#tasks/criteria/checks.ts');
  const [criterion] = await toCriteria(
    text === ''
      ? []
      : [
          {
            text,
            kind: 'exit',
            required: true,
            when: 'attempt',
            check: check === '' ? null : check,
            from: by,
          },
        ],
    {
      timeoutMs: defaultCheckTimeoutMs,
      taken: task.spec.criteria.map(({ id }) => id),
      loops: { autoInferVerification: true, suggestBrowserTests: false },
      infer: null,
    },
  );
  if (criterion === undefined)
    throw new OperatorError('bad-argument', 'The proposal is empty.', 'Give "text", or "skip".');
  return { kind: 'add', criterion };
}
