// One row for each setting that has a flag or a variable. Commander's options, the layers of flags and
// variables, and the options of `run()` come from here. Loaded with every command: it imports nothing heavy.
import { clientNames } from '#config/agents/clients.ts';
import type { SettingPath, SettingTypes } from './layers.ts';

/** The value of a flag and of the `run()` option, by the kind of a row. */
export interface FlagValues {
  readonly text: string;
  readonly texts: readonly string[];
  readonly switch: boolean;
  readonly 'text or false': string | false;
  readonly 'whole number': string;
  readonly duration: string;
  /** A duration; its variable holds a number of seconds. */
  readonly seconds: string;
  /** All of them, or a list with commas. */
  readonly ids: true | string;
  readonly limits: readonly string[];
  readonly mode: string;
  readonly none: string;
  readonly pay: string;
  readonly sandbox: string;
}

export type Kind = keyof FlagValues;

/** The value of the setting, if it differs from the flag's. */
interface ParsedValues {
  readonly 'whole number': number;
  readonly seconds: string | number;
  readonly ids: 'all' | readonly string[];
  readonly mode: 'auto' | 'interactive';
  readonly none: false;
  readonly pay: 'login' | 'key';
  readonly sandbox: SettingTypes['sandbox.use'];
}

export type SettingValues = Omit<FlagValues, keyof ParsedValues> & ParsedValues;

type PathFor<Value> = {
  [Path in SettingPath]: Value extends SettingTypes[Path] ? Path : never;
}[SettingPath];

export type FlagGroup = 'Goal and checks:' | 'Agents:' | 'Limits:' | 'Workspace:' | 'Start and prompts:';

/** A flag without a key is read through `sets`, by `parseBudget`, or by the agent and held-out modules. */
type Row = { [K in Kind]: { readonly takes: K; readonly key?: PathFor<SettingValues[K]> } }[Kind] & {
  /** As commander defines it: its name, and the name of its value. */
  readonly flag?: string;
  readonly help?: string;
  readonly group?: FlagGroup;
  /** Help of the same flag with `--no-`. */
  readonly noHelp?: string;
  /** The settings of a switch. */
  readonly sets?: Partial<SettingTypes>;
  /** Words for shell completion. */
  readonly choices?: readonly string[];
  readonly variable?: string;
  /** Its name among the options of `run()`, if it differs. */
  readonly option?: string;
  /** A value for `flags.NAME` of `run()`; without it there is no such option. */
  readonly example?: string;
};

/** By the name of the flag in commander and `run()`; in the order of the help. */
export const settingTable = {
  check: {
    key: 'checks',
    flag: '--check <check>',
    help: 'check that must pass in the end; repeatable',
    group: 'Goal and checks:',
    takes: 'texts',
    option: 'checks',
  },
  /** Read by `agent-wishes.ts`. */
  agent: {
    flag: '--agent <name>',
    help: 'agent, as [role=]NAME[:model]; repeatable',
    group: 'Agents:',
    takes: 'texts',
    option: 'agent',
  },
  pay: {
    key: 'pay',
    flag: '--pay <how>',
    help: 'pay by login or by key: login, key',
    group: 'Agents:',
    takes: 'pay',
    choices: ['login', 'key'],
    example: "'login'",
  },
  budget: {
    flag: '--budget <limits>',
    help: 'spending limits: 50, or usd=50,sessions=80,hours=12',
    group: 'Limits:',
    takes: 'limits',
    option: 'budget',
    example: "['usd=50']",
  },
  maxLoops: {
    key: 'maxLoops',
    flag: '--max-loops <n>',
    help: 'attempts per task at most (WIGGUM_MAX_LOOPS)',
    group: 'Limits:',
    takes: 'whole number',
    variable: 'WIGGUM_MAX_LOOPS',
    example: "'5'",
  },
  mode: {
    key: 'actions.mode',
    flag: '--mode <who>',
    help: 'who chooses the next action: auto, interactive; preset actions',
    group: 'Start and prompts:',
    takes: 'mode',
    example: "'auto'",
  },
  maxIterations: {
    key: 'actions.maxIterations',
    flag: '--max-iterations <n>',
    help: 'turns at most (10); preset actions',
    group: 'Limits:',
    takes: 'whole number',
    example: "'10'",
  },
  turnTimeout: {
    key: 'actions.turnTimeout',
    flag: '--turn-timeout <time>',
    help: 'time limit of one turn (10m); preset actions',
    group: 'Limits:',
    takes: 'duration',
    example: "'10m'",
  },
  cooldown: {
    key: 'cooldown',
    flag: '--cooldown <time>',
    help: 'pause between attempts: 90s, 5m (WIGGUM_COOLDOWN_SECONDS)',
    group: 'Limits:',
    takes: 'seconds',
    variable: 'WIGGUM_COOLDOWN_SECONDS',
    example: "'90s'",
  },
  knownRed: {
    key: 'knownRed',
    flag: '--known-red [ids]',
    help: 'checks that may keep failing: all, or these ids',
    group: 'Goal and checks:',
    takes: 'ids',
    example: 'true',
  },
  /** Files outside the repository, each a list of checks; read by `held-out.ts`. */
  heldOut: {
    flag: '--held-out <file>',
    help: 'file with checks that no agent sees; repeatable',
    group: 'Goal and checks:',
    takes: 'texts',
    example: "['/path/to/checks.txt']",
  },
  /** `none` removes the verifier and every other reviewer. */
  verifier: {
    key: 'verifier',
    flag: '--verifier <none>',
    help: 'run without a verifier',
    group: 'Agents:',
    takes: 'none',
    choices: ['none'],
    example: "'none'",
  },
  acceptReview: {
    key: 'acceptReview',
    flag: '--accept-review',
    help: "accept a reviewer's pass as the only proof",
    group: 'Goal and checks:',
    noHelp: "never accept a reviewer's pass as the only proof",
    takes: 'switch',
    variable: 'UNTILDONE_ACCEPT_REVIEW',
    example: 'true',
  },
  mayChange: {
    key: 'mayChange',
    flag: '--may-change <glob>',
    help: 'tests and check scripts that may change; repeatable',
    group: 'Goal and checks:',
    takes: 'texts',
    example: "['test/**']",
  },
  setup: {
    key: 'setup',
    flag: '--setup <command>',
    help: 'command that installs dependencies; default: detected',
    group: 'Workspace:',
    noHelp: 'install nothing',
    takes: 'text or false',
    example: "'npm ci'",
  },
  copy: {
    key: 'copy',
    flag: '--copy <glob>',
    help: 'untracked files that the checks need; repeatable',
    group: 'Workspace:',
    takes: 'texts',
    example: "['.env.test']",
  },
  sandbox: {
    key: 'sandbox.use',
    flag: '--sandbox <kind>',
    help: 'sandbox: auto, bubblewrap, srt, none (UNTILDONE_SANDBOX)',
    group: 'Workspace:',
    takes: 'sandbox',
    choices: ['auto', 'bubblewrap', 'srt', 'none'],
    variable: 'UNTILDONE_SANDBOX',
    example: "'auto'",
  },
  allowUnsandboxed: {
    flag: '--allow-unsandboxed',
    help: 'run without a sandbox if this machine has none',
    group: 'Workspace:',
    takes: 'switch',
    sets: { 'sandbox.required': false },
    example: 'true',
  },
  allowRoot: {
    key: 'allowRoot',
    flag: '--allow-root',
    help: 'let agents work as root, in a container',
    group: 'Agents:',
    takes: 'switch',
    example: 'true',
  },
  yes: {
    flag: '--yes',
    help: 'never prompt: accept the plan, end when stuck',
    group: 'Start and prompts:',
    takes: 'switch',
    sets: { 'campaign.approval': 'none', 'campaign.onStuck': 'end' },
    example: 'true',
  },
  inPlace: {
    key: 'inPlace',
    flag: '--in-place',
    help: 'work in your own clean checkout instead of a worktree',
    group: 'Workspace:',
    takes: 'switch',
    example: 'true',
  },
  taskFile: {
    key: 'taskFile',
    flag: '--task-file <file>',
    help: 'tasks with criteria: markdown, JSON or JSONL',
    group: 'Goal and checks:',
    takes: 'text',
    option: 'taskFile',
  },
  preset: {
    key: 'preset',
    flag: '--preset <name>',
    help: 'builder-verifier (default), criteria, queue, campaign or actions',
    group: 'Goal and checks:',
    takes: 'text',
    example: "'criteria'",
  },
  harnessDir: { key: 'harnessDir', takes: 'text', variable: 'WIGGUM_HARNESS_DIR' },
  planDir: { key: 'planDir', takes: 'text', variable: 'WIGGUM_PLAN_DIR' },
  logDir: { key: 'logDir', takes: 'text', variable: 'WIGGUM_LOG_DIR' },
  checkRuns: { key: 'check.flaky.runs', takes: 'whole number', variable: 'UNTILDONE_CHECK_RUNS' },
} as const satisfies { readonly [name: string]: Row };

type Table = typeof settingTable;

/** The rows that have this field. */
type With<Field extends string> = {
  [Name in keyof Table]: Table[Name] extends { readonly [F in Field]: unknown } ? Name : never;
}[keyof Table];

export type FlagName = With<'flag'>;
/** The keys of `flags` in the options of `run()`. */
export type FlagOption = With<'example'>;

/** The flags of a run. */
export type RunFlags = { readonly [Name in FlagName]?: FlagValues[Table[Name]['takes']] };

export type FlagRow = Row & {
  readonly name: FlagName;
  readonly flag: string;
  readonly help: string;
  /** `--max-loops`. */
  readonly long: string;
};

/** The agents that --agent knows without a configuration, for the help of `run`. */
export const knownAgentNames = clientNames.join(', ');

export const settingRows: readonly Row[] = Object.values(settingTable);

export const flagRows: readonly FlagRow[] = Object.entries<Row>(settingTable).flatMap(([name, row]) => {
  const { flag, help = '' } = row;
  return flag === undefined
    ? []
    : [{ ...row, flag, help, name: name as FlagName, long: flag.replace(/ .*/, '') }];
});
