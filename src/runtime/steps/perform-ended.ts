// The facts that end a step.
import { errorCode } from '#base/error-code.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Step, StepResult } from '#kernel/model/step.ts';
import { OperatorError } from '#base/operator-error.ts';

export function ended(step: Step, result: StepResult): readonly Fact[] {
  return [{ type: 'step-ended', stepId: step.stepId, result }];
}

/** For a step that costs nothing: the kernel asks for it again. */
export function lost({ stepId }: Step, reason: string): readonly Fact[] {
  return [{ type: 'step-lost', stepId, reason, usage: { usd: 0, tokens: 0 } }];
}

/** A fault of the operator or the machine parks the run with a sentence; any other error is our bug. */
export function refused(step: Step, error: unknown): readonly Fact[] {
  const { reason, hint } = troubleOf(error);
  return ended(step, { kind: 'refused', reason, hint });
}

/** A session ended but cannot be recorded now: its step stays open, and the next driver adopts it. */
export class UnsettledSession extends Error {
  override readonly name = 'UnsettledSession';
}

/** Only for faults of the operator or the machine; any other error is our bug. */
export function unsettled(error: unknown): UnsettledSession {
  const { reason, hint } = troubleOf(error);
  return new UnsettledSession(`${reason} ${hint}`, { cause: error });
}

function troubleOf(error: unknown): { readonly reason: string; readonly hint: string } {
  if (error instanceof OperatorError) return { reason: error.message, hint: error.hint };
  const hint = machineHints[errorCode(error) ?? ''];
  if (hint === undefined || !(error instanceof Error)) throw error;
  return { reason: `The machine refused it (${error.message}).`, hint: `${hint}, then continue.` };
}

/** Faults that no program is to blame for, with what a person can do. */
const machineHints: { readonly [code: string]: string | undefined } = {
  ENOSPC: 'Free some space on that disk',
  EDQUOT: 'Free some space, or have your quota raised',
  EROFS: 'Make that disk writable',
  EACCES: 'Give yourself access to it',
  EPERM: 'Give yourself access to it',
  EIO: 'Check that disk for errors',
  EMFILE: 'Raise the limit of open files (`ulimit -n`)',
  ENFILE: 'Close programs that keep many files open',
  ENOMEM: 'Free some memory',
};
