// The problems of a task file, each with its place, reported all at once.
import { OperatorError } from '#base/operator-error.ts';

export interface Problem {
  readonly line: number;
  /** `tasks.md:12`, or with a column. */
  readonly where: string;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** A person fixes some and tries again; a thousand lines do not help. */
const shownMax = 20;

export function badTaskFile(name: string, problems: readonly Problem[]): OperatorError {
  const sorted = problems.toSorted((one, other) => one.line - other.line);
  const lines = [
    ...new Set(sorted.map(({ where, text }) => `${where}: ${text}${isClosed(text) ? '' : '.'}`)),
  ];
  const [first = '', ...others] = lines;
  const hint =
    'Correct the file; `untildone help task-files` has an example: ## Task 1: Title, **Acceptance Criteria**, - [ ] it works (check: npm test)';
  if (others.length === 0) return new OperatorError('bad-task-file', first, hint);
  return new OperatorError(
    'bad-task-file',
    `${name} has ${lines.length} problems:\n${problemList(lines)}`,
    hint,
  );
}

/** One line each; a long list is cut. */
export function problemList(lines: readonly string[]): string {
  const left = lines.length - shownMax;
  const shown = left > 1 ? [...lines.slice(0, shownMax), `… and ${left} more`] : lines;
  return shown.map((line) => `  ${line}`).join('\n');
}

function isClosed(text: string): boolean {
  return /[.?!]$/.test(text);
}
