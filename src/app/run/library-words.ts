// Rewrites errors of the command line for callers of `run()`: options instead of flags.
import { OperatorError } from '#base/operator-error.ts';
import { flagRows } from '#config/setting-table.ts';

/** The same message, with what a caller can do about it. */
export function forCallers(error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  const hint = hintsForCallers[error.code] ?? withOptions(error.hint);
  return new OperatorError(error.code, withNames(error.message), hint);
}

/** A note of a start, as `onNote` gets it. */
export function noteForCallers(note: string): string {
  return withOptions(note);
}

const hintsForCallers: { readonly [code: string]: string | undefined } = {
  'run-is-live': "Wait for its end, or start another run beside it: run({ …, unfinished: 'new' })",
  'changed-inputs':
    "Continue with the inputs frozen at its start: run({ …, unfinished: 'resume' }); or start another run: run({ …, unfinished: 'new' })",
  'not-resumed':
    "Continue it: run({ …, unfinished: 'resume' }); or start another run: run({ …, unfinished: 'new' })",
  'no-task-file': "Give the path of a markdown, JSON or JSONL file: taskFile: 'tasks/login.md'",
  'no-run': "Leave out `unfinished: 'resume'` to start a run.",
};

/** By flag, without its dashes. */
const rows = new Map(flagRows.map((row) => [row.long.slice(2), row]));
const flagNames = [...rows.keys()].join('|');
/** A flag of `untildone run` with its value, outside a quoted command. */
const flagPattern = new RegExp(
  `(?<=^|[\\s(])(?:untildone run )?--(no-)?(${flagNames})\\b(?:[ =]("[^"]*"|[^\\s;)]*[^\\s;),.:])(?=[\\s;),.:]|$))?`,
  'g',
);

function withNames(message: string): string {
  return outsideCommands(message, (part) =>
    part.replace(flagPattern, (found: string, no: string | undefined, flag: string) => {
      const rest = found.slice(found.indexOf('--') + `--${no ?? ''}${flag}`.length);
      return (rows.get(flag)?.option ?? `flags.${rows.get(flag)?.name ?? ''}`) + rest;
    }),
  );
}

function withOptions(hint: string): string {
  return outsideCommands(hint, (part) => part.replace(flagPattern, asOption));
}

function asOption(_: string, no: string | undefined, flag: string, value: string | undefined): string {
  const name = rows.get(flag)?.option;
  const unquoted = value?.replaceAll('"', '');
  if (flag === 'budget' && unquoted?.includes('=') === true)
    return `budget: { ${unquoted.replaceAll('=', ': ').replaceAll(',', ', ')} }`;
  if (flag === 'budget') return unquoted === undefined ? 'budget' : `budget: ${unquoted}`;
  if (name !== undefined) {
    if (unquoted === undefined) return `\`${name}\``;
    const [, role, agent] = /^([\w/-]+)=(.*)$/.exec(unquoted) ?? [];
    if (flag === 'agent' && role !== undefined) return `agent: { …, ${role}: '${agent ?? ''}' }`;
    return flag === 'check' ? `checks: ['${unquoted}']` : `${name}: '${unquoted}'`;
  }
  const written = no === undefined ? (unquoted === undefined ? 'true' : `'${unquoted}'`) : 'false';
  return `flags: { ${rows.get(flag)?.name ?? ''}: ${written} }`;
}

/** A command in backticks is for a terminal and stays unchanged. */
function outsideCommands(text: string, change: (part: string) => string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
}
