// Who may do what: the answer to an agent that asks.
import type { Permissions } from './acp-options.ts';
import { fieldsOf, listOf, textOf } from '#agents/shared/json.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface PermissionAnswer {
  readonly isAllowed: boolean;
  readonly outcome: Fields;
}

/** All that a read-only role may do; a kind that is not told, or not known, may write. */
const harmlessKinds = new Set(['read', 'search', 'think', 'fetch']);

export function answerPermission(
  params: Fields,
  rules: { readonly permissions: Permissions; readonly readOnly: boolean; readonly knownKind: string },
): PermissionAnswer {
  const kind = textOf(fieldsOf(params['toolCall'])['kind']) || rules.knownKind;
  const wanted = isAllowed(kind, rules);
  const options = listOf(params['options']);
  const find = (kinds: readonly string[]): Fields | undefined =>
    kinds
      .map((one) => options.find((option) => option['kind'] === one))
      .find((option) => option !== undefined);
  const allowing = wanted ? find(['allow_once', 'allow_always']) : undefined;
  const option = allowing ?? find(['reject_once', 'reject_always']);
  return {
    isAllowed: allowing !== undefined,
    outcome:
      option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option['optionId'] },
  };
}

function isAllowed(kind: string, rules: { permissions: Permissions; readOnly: boolean }): boolean {
  if (rules.permissions !== 'by-role') return rules.permissions === 'allow';
  return !rules.readOnly || harmlessKinds.has(kind);
}
