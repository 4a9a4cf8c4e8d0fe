/** A mistake of the operator, or something their machine lacks. Printed with a hint, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** Kebab-case and stable, for `--json`. */
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Returns an `OperatorError` as a value and throws every other error again. */
export function asOperatorError(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  throw error;
}
