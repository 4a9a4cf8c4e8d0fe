// A proposal in an agent's words → a change of criteria that a person can accept.
import type { Fields } from '#compose/rpc.ts';
import { textOf } from '#compose/rpc.ts';
import type { CriteriaChange } from '#kernel/criteria-change.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { OwnRun } from './own-run.ts';

/** What one field of a proposal may have; the run refuses what is longer in all. */
const charsMax = 4000;

export async function proposalOf({ task, by }: OwnRun, given: Fields): Promise<CriteriaChange> {
  if (Object.values(given).some((each) => textOf(each).length > charsMax))
    throw new OperatorError('bad-argument', 'That is too long for a proposal.', 'Say it in some sentences.');
  const skip = textOf(given['skip']).trim();
  if (skip !== '') return { kind: 'skip', criterionId: skip };
  const text = textOf(given['text']).trim();
  const check = textOf(given['check']).trim();
  const { toCriteria } = await import('#config/written-criteria.ts');
  const { defaultCheckTimeoutMs } = await import('#config/defaults.ts');
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
    throw new OperatorError('bad-argument', 'It proposes nothing.', 'Give "text", or "skip".');
  return { kind: 'add', criterion };
}
