// The options of `run()`: every key and type is checked, so that a misspelt option never pays for a session.
import { isRecord } from '#base/record.ts';
import type { BudgetName } from '#config/flags.ts';
import { type FlagOption, flagRows, type Kind, type RunFlags } from '#config/setting-table.ts';
import { suggest } from '#base/suggest.ts';
import type { Event } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';

export type RunOptions = RunSettings &
  (
    | { /** What is wanted. */ readonly goal: string }
    | {
        readonly goal?: undefined;
        /** Tasks with acceptance criteria, instead of a goal. */
        readonly taskFile: string;
      }
  );

export interface RunSettings {
  /** Checks that must pass when the work is done, as after `--check`. */
  readonly checks?: string | readonly string[];
  /** As after `--agent`: one for every role, several, or one per role. */
  readonly agent?: string | readonly string[] | { readonly [role: string]: string };
  /** US dollars, or limits by name. */
  readonly budget?: number | { readonly [name in BudgetName]?: number };
  /** A folder of the repository; default: the current one. */
  readonly cwd?: string;
  /** Default: the environment of this process. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Ends the sessions and leaves the run paused; the next call with the same input continues it. */
  readonly signal?: AbortSignal;
  /**
   * Every fact of the run's journal in order from the first one, including those of earlier calls.
   * If it throws or its promise rejects, the call ends with that error; `run()` settles after those promises.
   */
  readonly onEvent?: (event: Event) => unknown;
  /** Messages for a person that are no facts, such as a run without a check. Errors as with `onEvent`. */
  readonly onNote?: (text: string) => unknown;
  /** What to do with an unfinished run of this goal; default: continue it if the inputs are the same. */
  readonly unfinished?: 'resume' | 'new';
  /** All other flags of `untildone run`. */
  readonly flags?: LibraryFlags;
}

/** A flag that takes several values also takes one without a list. */
type LibraryFlags = {
  readonly [name in FlagOption]?:
    | RunFlags[name]
    | (readonly string[] extends RunFlags[name] ? string : never);
};

interface Shape {
  readonly fits: (value: unknown) => boolean;
  /** What the value must be, and how it is written. */
  readonly is: string;
  readonly example: string;
}

type Shapes = { readonly [name: string]: Shape };

const texts = { fits: isTexts, is: 'a text or a list of texts' };
const text = { fits: isText, is: 'a text' };
const textOrNumber = { fits: isTextOrNumber, is: 'a text' };
const call = { fits: isFunction, is: 'a function' };

const shapesByKind: { readonly [K in Kind]: Omit<Shape, 'example'> } = {
  text,
  texts,
  switch: { fits: isBoolean, is: 'true or false' },
  'text or false': { fits: (value) => value === false || isText(value), is: 'a text or false' },
  'whole number': textOrNumber,
  duration: text,
  seconds: textOrNumber,
  ids: { fits: (value) => value === true || isText(value), is: 'true or a text' },
  limits: texts,
  mode: text,
  none: text,
  pay: text,
  sandbox: text,
};

const flagShapes: Shapes = Object.fromEntries(
  flagRows.flatMap(({ name, takes, example }) =>
    example === undefined ? [] : [[name, { ...shapesByKind[takes], example: `${name}: ${example}` }]],
  ),
);

const shapes: { readonly [name in keyof RunSettings | 'goal' | 'taskFile']-?: Shape } = {
  goal: { ...text, example: "goal: 'Add a version flag'" },
  taskFile: { ...text, example: "taskFile: 'tasks.md'" },
  checks: { ...texts, example: "checks: ['npm test']" },
  agent: {
    fits: (value) => isTexts(value) || (isRecord(value) && Object.values(value).every(isText)),
    is: 'a name, a list of names, or one name per role',
    example: "agent: 'claude', or agent: { builder: 'claude', verifier: 'codex' }",
  },
  budget: {
    fits: (value) => typeof value === 'number' || isRecord(value),
    is: 'a number of US dollars or limits by name',
    example: 'budget: 5, or budget: { usd: 5, sessions: 20 }',
  },
  cwd: { ...text, example: "cwd: '/path/to/repository'" },
  env: { fits: isRecord, is: 'an object of variables', example: 'env: process.env' },
  signal: { fits: isSignal, is: 'an AbortSignal', example: 'signal: new AbortController().signal' },
  onEvent: { ...call, example: 'onEvent: (event) => console.log(event.type)' },
  onNote: { ...call, example: 'onNote: (text) => console.log(text)' },
  unfinished: {
    fits: (value) => value === 'resume' || value === 'new',
    is: 'one of resume, new',
    example: "unfinished: 'resume', or unfinished: 'new'",
  },
  flags: { fits: isRecord, is: 'an object of flags', example: "flags: { maxLoops: '5', sandbox: 'none' }" },
};

/** Contract: throws an OperatorError and reads nothing but its argument. */
export function checkOptions(options: unknown): void {
  if (options === undefined || options === null) throw noGoal();
  if (!isRecord(options))
    throw new OperatorError(
      'bad-option',
      `run() takes an object, not ${shown(options)}.`,
      "For example: run({ goal: 'Add a version flag', checks: ['npm test'], agent: 'claude' })",
    );
  checkKeys(options, shapes, '');
  checkKeys(isRecord(options['flags']) ? options['flags'] : {}, flagShapes, 'flags.');
  const { goal, taskFile } = options;
  if (goal !== undefined && taskFile !== undefined)
    throw new OperatorError(
      'goal-and-tasks',
      'run() was given both a goal and a task file.',
      'Leave out `goal` to work on the tasks, or leave out `taskFile`.',
    );
  if (taskFile === undefined && (!isText(goal) || goal.trim() === '')) throw noGoal();
}

function noGoal(): OperatorError {
  return new OperatorError(
    'no-goal',
    'run() was given no goal.',
    "Give a goal: run({ goal: 'Add a version flag', … })",
  );
}

function checkKeys(
  options: { readonly [name: string]: unknown },
  known: Shapes,
  prefix: '' | 'flags.',
): void {
  for (const [key, value] of Object.entries(options)) {
    const shape = Object.hasOwn(known, key) ? known[key] : undefined;
    if (shape === undefined) throw unknownOption(key, known, prefix);
    if (value !== undefined && !shape.fits(value))
      throw new OperatorError(
        'bad-option',
        `The option "${prefix}${key}" of run() is ${shown(value)}, which is not ${shape.is}.`,
        `For example: ${prefix === '' ? shape.example : `flags: { ${shape.example} }`}`,
      );
  }
}

function unknownOption(key: string, known: Shapes, prefix: '' | 'flags.'): OperatorError {
  const near = nearestOption(key, prefix);
  const names = Object.keys(known).join(', ');
  return new OperatorError(
    'bad-option',
    `run() has no option "${prefix}${key}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    prefix === '' ? `The options are ${names}.` : `The flags are ${names}.`,
  );
}

/** Names in the same place first, and there the exact name of the other place before a similar one. */
function nearestOption(key: string, prefix: '' | 'flags.'): string | null {
  const own = Object.keys(shapes);
  const flags = Object.keys(flagShapes);
  const named = (name: string | null, before: string): string | null =>
    name === null ? null : before + name;
  if (prefix === '') {
    if (flags.includes(key)) return `flags.${key}`;
    return suggest(key, own) ?? named(suggest(key, flags), 'flags.');
  }
  if (key === 'check') return 'checks';
  if (own.includes(key)) return key;
  return named(suggest(key, flags), 'flags.') ?? suggest(key, own);
}

/** Expects options that passed `checkOptions`. */
export function flagsOf({ checks = [], agent = [], budget, flags = {}, ...wanted }: RunOptions): RunFlags {
  const taskFile = 'taskFile' in wanted ? wanted.taskFile : undefined;
  const agents = isTexts(agent)
    ? listed(agent)
    : Object.entries(agent).map(([role, name]) => `${role}=${name}`);
  const limits =
    budget === undefined
      ? []
      : Object.entries(typeof budget === 'number' ? { usd: budget } : budget)
          .filter(([, limit]) => limit !== undefined)
          .map(([name, limit]) => `${name}=${limit}`);
  const { budget: limitFlags = [], ...others } = flags;
  const allLimits = [...listed(limitFlags), ...limits];
  return {
    ...asTyped(others),
    ...(taskFile === undefined ? {} : { taskFile }),
    // As on the command line: absent differs from empty.
    ...(checks.length === 0 ? {} : { check: listed(checks) }),
    ...(agents.length === 0 ? {} : { agent: agents }),
    ...(allLimits.length === 0 ? {} : { budget: allLimits }),
  };
}

/** Lists and texts in the form of the command line. */
function asTyped(flags: LibraryFlags): RunFlags {
  const usedFlags = flagRows.flatMap(({ name, takes }) => {
    const value = (flags as RunFlags)[name];
    if (value === undefined) return [];
    if (isTexts(value) && shapesByKind[takes] === texts) return [[name, listed(value)]];
    return [[name, shapesByKind[takes] === textOrNumber ? String(value) : value]];
  });
  return Object.fromEntries(usedFlags) as RunFlags;
}

function listed(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : [...value];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNumber(value: unknown): boolean {
  return isText(value) || typeof value === 'number';
}

function isTexts(value: unknown): value is string | readonly string[] {
  return isText(value) || (Array.isArray(value) && value.every(isText));
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** Also accepts a signal of another realm. */
function isSignal(value: unknown): boolean {
  return isRecord(value) && isBoolean(value['aborted']) && isFunction(value['addEventListener']);
}

function shown(value: unknown): string {
  if (isFunction(value)) return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  return isText(value) ? JSON.stringify(value) : String(value);
}
