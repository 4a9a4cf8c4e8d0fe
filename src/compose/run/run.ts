// `run()`: one call from a goal to its outcome. The command line's `run` for programs: it prints nothing and asks nothing.
import { driveRun, startRun } from '#compose.ts';
import { dropControl } from '#compose/controls.ts';
import { inferLazily } from '#compose/infer-lazily.ts';
import { oneStartAtATime } from '#compose/one-start.ts';
import type { Site } from '#compose/site.ts';
import { openSite } from '#compose/site.ts';
import { startFolder } from '#config/environment.ts';
import type { BudgetName, RunFlags } from '#config/flags.ts';
import { refuseMissingPrograms } from '#config/check-programs.ts';
import { raise } from '#config/raise-budget.ts';
import { resolveRun } from '#config/resolve-run.ts';
import type { Event } from '#kernel/events.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Holder } from '#ports/store.ts';
import { unfinishedRuns } from './known-runs.ts';
import type { RunResult } from './run-result.ts';
import { resultOf } from './run-result.ts';
import { changedInputs, judgeStart } from './same-run.ts';
import { watchFacts } from './watch-facts.ts';

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
  /** What must pass when the work is done, as after `--check`. */
  readonly checks?: readonly string[];
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
  /** Every fact of the run's journal in order, from the first one; also those that earlier calls recorded. */
  readonly onEvent?: (event: Event) => void;
  /** What a person should know and what is no fact, such as a run without a check. */
  readonly onNote?: (text: string) => void;
  /** What to do with an unfinished run of this goal; default: continue it if the inputs are the same. */
  readonly unfinished?: 'resume' | 'new';
  /** Everything else that the command line of `untildone run` takes. */
  readonly flags?: Omit<RunFlags, 'agent' | 'check' | 'taskFile'>;
}

/**
 * Contract: rejects with an OperatorError for wrong input and for what the machine lacks, and with the signal's reason if
 * it was aborted before there was a run. Every run that was started has a result, and no process of it stays alive.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { signal = new AbortController().signal, onNote = () => {} } = options;
  signal.throwIfAborted();
  const flags = flagsOf(options);
  const env = options.env ?? process.env;
  const site = await openSite(options.cwd ?? startFolder(process.cwd(), env), env);
  const found = await findOrStart(site, options, flags, onNote).catch((error: unknown) => {
    throw forCallers(error);
  });
  const facts = watchFacts(options.onEvent, onNote);
  const driving = driveRun(site, found.runId, {
    observers: [facts.observer],
    leaveWhenParked: () => true,
    signal: AbortSignal.any([signal, facts.signal]),
  });
  const end = await driving.catch(async (error: unknown) => {
    await freeHolder(site, found.runId);
    throw error;
  });
  facts.throwIfFailed();
  if (end.kind === 'held') throw forCallers(drivenAlready(found.runId, end.by));
  return resultOf(site, end, { isResumed: found.isResumed, isAborted: signal.aborted });
}

interface FoundRun {
  readonly runId: string;
  readonly isResumed: boolean;
}

/** Finding and creating are one act, as on the command line: of two calls at the same moment one creates the run. */
async function findOrStart(
  site: Site,
  { goal, signal, unfinished }: RunOptions,
  flags: RunFlags,
  onNote: (text: string) => void,
): Promise<FoundRun> {
  const resolved = await resolveRun(site, { goal, flags, sanityCheck: false, infer: inferLazily(site) });
  const wish = { isNew: unfinished === 'new', isResume: unfinished === 'resume' };
  const act = async (): Promise<FoundRun> => {
    const start = judgeStart(await unfinishedRuns(site, onNote), resolved.config, wish);
    signal?.throwIfAborted();
    switch (start.kind) {
      case 'changed':
        throw changedInputs(start.known, resolved.config);
      case 'resume':
        await askToResume(site, start.known.run, flags.budget ?? []);
        return { runId: start.known.run.id, isResumed: true };
      case 'new':
        for (const note of resolved.notes) onNote(note);
        await refuseMissingPrograms(site, resolved);
        return { runId: await startRun(site, { ...resolved, isHeld: true }), isResumed: false };
    }
  };
  return oneStartAtATime(site, act, () => onNote('Another process is starting a run here; this one waits.'));
}

/** An interrupted run continues by itself; one that was paused or is in trouble, or shall have more budget, is asked to. */
async function askToResume(site: Site, known: Run, budget: readonly string[]): Promise<void> {
  const more = raise(budget);
  if (known.paused === null && known.trouble === null && more === null) return;
  await dropControl(site, known.id, more === null ? { kind: 'resume' } : { kind: 'resume', budget: more });
}

function flagsOf({ checks = [], agent = [], budget, flags = {}, ...wanted }: RunOptions): RunFlags {
  const taskFile = 'taskFile' in wanted ? { taskFile: wanted.taskFile } : {};
  if (!('taskFile' in wanted) && (typeof wanted.goal !== 'string' || wanted.goal.trim() === ''))
    throw new OperatorError(
      'no-goal',
      'run() was given no goal.',
      "Say what is wanted: run({ goal: 'Add a --version flag', … })",
    );
  const agents =
    typeof agent === 'string'
      ? [agent]
      : Array.isArray(agent)
        ? (agent as readonly string[])
        : Object.entries(agent).map(([role, name]) => `${role}=${name}`);
  const limits =
    budget === undefined
      ? []
      : Object.entries(typeof budget === 'number' ? { usd: budget } : budget).map(
          ([name, limit]) => `${name}=${limit}`,
        );
  return {
    ...flags,
    ...taskFile,
    // As on the command line: absent and empty are not the same.
    ...(checks.length === 0 ? {} : { check: [...checks] }),
    ...(agents.length === 0 ? {} : { agent: agents }),
    ...(limits.length === 0 ? {} : { budget: [...(flags.budget ?? []), ...limits] }),
  };
}

function drivenAlready(runId: string, { pid, host }: Holder): OperatorError {
  return new OperatorError(
    'run-is-live',
    `The run ${runId} is driven already, by pid ${pid} on ${host}.`,
    '',
  );
}

/** The same sentences as on the command line, with what a caller can do about them. */
function forCallers(error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  const hint = hintsForCallers[error.code];
  return hint === undefined ? error : new OperatorError(error.code, error.message, hint);
}

const hintsForCallers: { readonly [code: string]: string | undefined } = {
  'run-is-live': "Wait for its end, or start another run beside it: run({ …, unfinished: 'new' })",
  'changed-inputs':
    "Continue with the inputs frozen at its start: run({ …, unfinished: 'resume' }); or begin another run: run({ …, unfinished: 'new' })",
  'no-run': "Leave out `unfinished: 'resume'` to start a run.",
};

/** A run that could not be driven is not held by this process, which may live for long. */
async function freeHolder(site: Site, runId: string): Promise<void> {
  const { freeOwnHolder } = await import('#adapters/stores/embedded/holder.ts');
  const { runPathsOf } = await import('#compose/site.ts');
  await freeOwnHolder(runPathsOf(site, runId).holder);
}
