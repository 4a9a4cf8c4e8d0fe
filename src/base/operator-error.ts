/** What the operator got wrong, or what their machine lacks: one sentence and what to do next. Printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** Kebab-case and stable, for `--json`. */
  readonly code: string;
  /** Names the next action. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** What the operator got wrong, as a value; anything else is thrown on. */
export function asOperatorError(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  throw error;
}
