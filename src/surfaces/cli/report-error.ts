// Reports three kinds of errors: of the operator, of commander, and our own bugs.
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { printJsonLine, printNote } from './output.ts';

export interface ErrorView {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Prints the error and returns the exit code. */
export function reportError(error: unknown, isJson: boolean): number {
  if (error instanceof OperatorError) {
    show({ code: error.code, message: error.message, hint: error.hint }, isJson);
    return exitCodes.usage;
  }
  showBug(error, isJson);
  return exitCodes.failed;
}

export function show(view: ErrorView, isJson: boolean): void {
  if (isJson) printJsonLine({ error: view });
  else printNote(`${view.message}\nHint: ${view.hint}`);
}

function showBug(error: unknown, isJson: boolean): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'Recorded work is not lost; `untildone list` shows the runs and their logs.';
  if (isJson)
    return printJsonLine({ error: { code: 'bug', message: `This is a bug in untildone: ${detail}`, hint } });
  printNote(`This is a bug in untildone. ${hint}\nPlease report it with this:\n\n${detail}`);
}
