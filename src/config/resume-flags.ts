// Turns the flags of `resume` that end a wait into their part of the control.
import type { Control } from '#kernel/events/control.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface WaitEndFlags {
  readonly force?: boolean;
  readonly approve?: boolean;
  readonly reject?: string;
}

export type WaitEnd = Pick<Control & { readonly kind: 'resume' }, 'force' | 'approve' | 'reject'>;

/** Null if no flag ends a wait. */
export function waitEndOf({ force, approve, reject }: WaitEndFlags): WaitEnd | null {
  const flags = [
    ...(force === true ? ['--force'] : []),
    ...(approve === true ? ['--approve'] : []),
    ...(reject === undefined ? [] : ['--reject']),
  ];
  if (flags.length > 1)
    throw new OperatorError('wrong-flag', `${flags.join(' and ')} cannot be combined.`, 'Use one of them.');
  if (reject !== undefined && reject.trim() === '')
    throw new OperatorError(
      'wrong-flag',
      'The value of --reject is empty.',
      'Give the reason to the next builder: --reject "the migration is wrong"',
    );
  if (flags.length === 0) return null;
  return {
    ...(force === true ? { force: true } : {}),
    ...(approve === true ? { approve: true } : {}),
    ...(reject === undefined ? {} : { reject }),
  };
}
