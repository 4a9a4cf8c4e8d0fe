// `run()`: from a goal to its outcome in one call. Like the command `run`, without output and prompts.
import { driveRun } from '#app/world.ts';
import { dropControl } from '#app/controls/controls.ts';
import { inferLazily } from './infer-lazily.ts';
import { oneStartAtATime } from './one-start.ts';
import { openSite, type Site } from '#app/site.ts';
import { startFolder } from '#config/environment.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { refuseMissingPrograms } from '#config/resolve/check-programs.ts';
import { raise } from '#config/flags.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Holder } from '#ports/store.ts';
import { runsAtStart } from './known-runs.ts';
import { forCallers, noteForCallers } from './library-words.ts';
import { checkOptions, flagsOf, type RunOptions } from './run-options.ts';
import { resultOf, type RunResult } from './run-result.ts';
import { changedInputs, judgeStart, notResumed } from './same-run.ts';
import { type FactsWatch, watchFacts } from './watch-facts.ts';
import { startRun } from './start-run.ts';

/**
 * Contract: rejects with an OperatorError for wrong input or a lack of the machine, and with the signal's
 * reason if aborted before there was a run. Every started run has a result and leaves no process behind.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  checkOptions(options);
  const { signal = new AbortController().signal, onNote = () => {} } = options;
  signal.throwIfAborted();
  const flags = flagsOf(options);
  const env = options.env ?? process.env;
  const site = await openSite(options.cwd ?? startFolder(process.cwd(), env), env);
  const facts = watchFacts(options.onEvent, onNote);
  const found = await findOrStart(site, options, flags, facts).catch((error: unknown) => {
    throw forCallers(error);
  });
  const driving = driveRun(site, found.runId, {
    observers: [facts.observer],
    leaveWhenParked: (awaited) => awaited.length === 0,
    signal: AbortSignal.any([signal, facts.signal]),
    isNew: !found.isResumed,
  });
  const end = await driving.catch(async (error: unknown) => {
    await freeHolder(site, found.runId);
    throw error;
  });
  await facts.settle();
  if (end.kind === 'held') throw forCallers(drivenAlready(found.runId, end.by));
  return resultOf(site, end, { isResumed: found.isResumed, isAborted: signal.aborted });
}

interface ExistingRun {
  readonly runId: string;
  readonly isResumed: boolean;
}

/** Finding and creating are one atomic step: of two concurrent calls, one creates the run. */
async function findOrStart(
  site: Site,
  { goal, signal, unfinished }: RunOptions,
  flags: RunFlags,
  { onNote, throwIfFailed }: FactsWatch,
): Promise<ExistingRun> {
  const resolved = await resolveRun(site, { goal, flags, sanityCheck: false, infer: inferLazily(site) });
  const wish = { isNew: unfinished === 'new', isResume: unfinished === 'resume' };
  const act = async (): Promise<ExistingRun> => {
    const start = judgeStart(await runsAtStart(site, onNote), resolved.config, wish);
    signal?.throwIfAborted();
    switch (start.kind) {
      case 'changed':
        throw changedInputs(start.known, resolved.config);
      case 'not-resumed':
        throw notResumed(start.known);
      case 'resume':
        await askToResume(site, start.known.run, flags.budget ?? []);
        return { runId: start.known.run.id, isResumed: true };
      case 'new':
        for (const note of resolved.notes) onNote(noteForCallers(note));
        throwIfFailed();
        await refuseMissingPrograms(site, resolved);
        return { runId: await startRun(site, { ...resolved, isHeld: true }), isResumed: false };
    }
  };
  return oneStartAtATime(site, act, () => onNote('Another process is starting a run here. Waiting for it.'));
}

/** An interrupted run continues by itself; a paused or troubled one, or more budget, needs a control. */
async function askToResume(site: Site, known: Run, budget: readonly string[]): Promise<void> {
  const more = raise(budget);
  if (known.paused === null && known.trouble === null && more === null) return;
  await dropControl(site, known.id, more === null ? { kind: 'resume' } : { kind: 'resume', budget: more });
}

function drivenAlready(runId: string, { pid, host }: Holder): OperatorError {
  return new OperatorError('run-is-live', `Run ${runId} already has a driver: pid ${pid} on ${host}.`, '');
}

/** A run that could not be driven must not stay held by this process, which may live long. */
async function freeHolder(site: Site, runId: string): Promise<void> {
  const { freeOwnHolder } = await import('#adapters/store/holder.ts');
  const { runPathsOf } = await import('#app/site.ts');
  await freeOwnHolder(runPathsOf(site, runId).holder);
}
