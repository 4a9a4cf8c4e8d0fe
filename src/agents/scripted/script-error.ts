import { OperatorError } from '#base/operator-error.ts';

export function scriptError(problem: string): OperatorError {
  return new OperatorError(
    'bad-script',
    `The scripted agent cannot be used: ${problem}.`,
    'Correct the script in the options of this agent.',
  );
}
