// What is wrong with a task file: every problem with its place, told all at once.
import { OperatorError } from '#base/operator-error.ts';

export interface Problem {
  readonly line: number;
  /** `tasks.md:12`, or with a column. */
  readonly where: string;
  /** A sentence without its point. */
  readonly text: string;
}

/** A person mends some and asks again; a thousand lines help nobody. */
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

/** One line each, the first of many. */
export function problemList(lines: readonly string[]): string {
  const left = lines.length - shownMax;
  const shown = left > 1 ? [...lines.slice(0, shownMax), `… and ${left} more`] : lines;
  return shown.map((line) => `  ${line}`).join('\n');
}

function isClosed(text: string): boolean {
  return /[.?!]$/.test(text);
}
