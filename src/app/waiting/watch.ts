// Wakes every due run of this user, each in a child process. The drivers check again and decide.
import { systemClock } from '#adapters/machine/system-clock.ts';
import { createFileProbe, limitedProbe } from '#adapters/waiting/file-probe.ts';
import { followRecords, type RecordFollower } from '#adapters/waiting/follow-records.ts';
import { createLookout } from '#adapters/waiting/lookout.ts';
import { readWakeRecord, wakeFileOf, type WakeRecord } from '#adapters/waiting/wake-file.ts';
import { takeWatchLock } from '#adapters/waiting/watch-lock.ts';
import { createWhyLate } from '#adapters/waiting/why-late.ts';
import { wakeAgainAfterMs } from '#policies/waiting/wake-again.ts';
import type { Lookout, Sighting } from '#ports/lookout.ts';
import { OperatorError } from '#base/operator-error.ts';
import { endWords, lateWords, type WatchEvent } from '#views/waiting/watch-events.ts';
import { isHeld, searchLost, wakeChild } from './wake-child.ts';
import { createWatchPolls, type WatchPolls } from './watch-polls.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';
import { isRepoAt } from '#adapters/waiting/repo-roots.ts';

export interface WatchOptions {
  readonly stateHome: string;
  readonly env: NodeJS.ProcessEnv;
  /** Concurrent drivers; further ones wait for a slot. */
  readonly childrenMax: number;
  readonly report: (event: WatchEvent) => void;
  /** Called once, when this process has become the watch. */
  readonly onTaken: (waiting: number) => void;
  readonly signal: AbortSignal;
}

interface Waiting {
  record: WakeRecord;
  /** What it waits for, as text: a run that waits for the same again is woken more slowly. */
  awaited: string;
  tries: number;
  /** By the monotonic clock. */
  notBefore: number;
  state: 'waits' | 'queued' | 'driven';
  late?: string;
  /** The last message about it, so that each is said once. */
  lastText: string;
}

interface Watch {
  readonly options: WatchOptions;
  readonly runs: Map<string, Waiting>;
  readonly follower: RecordFollower;
  readonly lookout: Lookout;
  readonly polls: WatchPolls;
  readonly queue: string[];
  driven: number;
  lostSearchedAt: number;
  readAt: number;
  /** Ends the wait under way, because something has changed. */
  readonly change: () => void;
}

const sweepMs = 2_000;
const searchMs = 3_600_000;
const heldMs = 10_000;
/** Many changes at once are read once. */
const readMs = 250;

/** Contract: resolves when `signal` aborts; drivers that it started continue. */
export async function watchRuns(options: WatchOptions): Promise<void> {
  const { stateHome, env, signal } = options;
  const lock = await takeWatchLock(stateHome, Object.keys(env));
  if ('heldBy' in lock) throw watchIsLive(lock.heldBy?.pid ?? null);
  const changes = createChanges();
  const watch = await openWatch(options, changes.change);
  signal.addEventListener('abort', changes.change);
  const sweep = setInterval(() => {
    void watch.follower.isStale().then((isStale) => (isStale ? changes.change() : undefined));
  }, sweepMs);
  try {
    await readRecords(watch);
    options.onTaken(watch.runs.size);
    while (!signal.aborted) await watchOnce(watch, changes.next());
  } finally {
    clearInterval(sweep);
    signal.removeEventListener('abort', changes.change);
    watch.follower.close();
    await watch.lookout.close();
    await lock.release();
  }
}

async function openWatch(options: WatchOptions, change: () => void): Promise<Watch> {
  const { stateHome, env } = options;
  const runs: Watch['runs'] = new Map();
  const polls = createWatchPolls({
    stateHome,
    env,
    ownerOf: (id) => {
      const [name = '', suspensionId = ''] = id.split(' ');
      const record = runs.get(name)?.record;
      return record === undefined ? null : { record, suspensionId };
    },
    onProblem: (record, problem) => {
      const waiting = runs.get(nameOf(record));
      if (waiting === undefined) return;
      if (problem === 'gone') reportGone(options, waiting);
      else reportText(options, waiting, `not checked: ${problem.message}`);
    },
  });
  const lookout = createLookout({
    clock: systemClock,
    whyLate: createWhyLate(null),
    probes: { poll: polls.poll, file: limitedProbe(createFileProbe()) },
  });
  const follower = await followRecords(stateHome, change);
  return {
    options,
    runs,
    follower,
    lookout,
    polls,
    queue: [],
    driven: 0,
    lostSearchedAt: -Infinity,
    readAt: -Infinity,
    change,
  };
}

/** Until something is due, or something has changed. */
async function watchOnce(watch: Watch, changed: Promise<void>): Promise<void> {
  const { lookout, options } = watch;
  if (performance.now() - watch.readAt >= readMs) await readRecords(watch);
  else setTimeout(watch.change, readMs).unref();
  if (performance.now() - watch.lostSearchedAt > searchMs || watch.follower.wasRemoved()) void search(watch);
  if (options.signal.aborted) return;
  const now = performance.now();
  const open = [...watch.runs.values()].filter((one) => one.state === 'waits' && one.record.mayWake);
  const ready = open.filter(({ notBefore }) => notBefore <= now);
  const runOf = new Map(
    ready.flatMap((one) => one.record.awaited.map((awaited) => [ofRun(one, awaited), one] as const)),
  );
  const later = Math.min(
    searchMs,
    ...open.filter((one) => one.notBefore > now).map((one) => one.notBefore - now),
  );
  const over = new AbortController();
  const sighting = lookout.wait([...runOf.keys()], over.signal);
  const timer = setTimeout(() => over.abort(), Math.max(1, later));
  await Promise.race([changed, sighting]);
  clearTimeout(timer);
  over.abort();
  const result = await sighting;
  const waiting = result === null ? undefined : runOf.get(result.awaited);
  if (result !== null && waiting !== undefined) await wakeOrWait(watch, waiting, result);
}

/** The records of two runs may name the same suspension: one run is a copy. */
function ofRun({ record }: Waiting, awaited: AwaitedCondition): AwaitedCondition {
  if (awaited.kind === 'limit') return awaited;
  return { ...awaited, suspensionId: `${nameOf(record)} ${awaited.suspensionId}` };
}

async function readRecords(watch: Watch): Promise<void> {
  const { runs, follower, polls } = watch;
  watch.readAt = performance.now();
  if (!(await follower.isStale())) return;
  const records = await follower.read();
  for (const [name, record] of records) {
    const known = runs.get(name);
    const awaited = JSON.stringify(record.awaited);
    if (known === undefined)
      runs.set(name, { record, awaited, tries: 0, notBefore: 0, state: 'waits', lastText: '' });
    else {
      if (known.awaited !== awaited) Object.assign(known, { awaited, tries: 0, notBefore: 0 });
      known.record = record;
    }
  }
  for (const [name, { state }] of runs) if (!records.has(name) && state !== 'driven') runs.delete(name);
  polls.keepOnly(new Set([...runs.values()].map(({ record }) => record)));
}

async function search(watch: Watch): Promise<void> {
  const { options } = watch;
  watch.lostSearchedAt = performance.now();
  for (const runId of await searchLost(options.stateHome, options.env))
    options.report({
      kind: 'found',
      at: Date.now(),
      runId,
      text: 'its wake record was lost and is written again',
    });
  watch.change();
}

async function wakeOrWait(watch: Watch, waiting: Waiting, { due, late, seenAt }: Sighting): Promise<void> {
  const { options, queue } = watch;
  if (await isHeld(options.stateHome, waiting.record)) {
    waiting.notBefore = performance.now() + heldMs;
    return;
  }
  if (late === undefined) delete waiting.late;
  else {
    waiting.late = late;
    reportText(options, waiting, lateWords({ due: due ?? seenAt, seenAt, late }));
  }
  if (watch.driven < options.childrenMax) return wake(watch, waiting);
  waiting.state = 'queued';
  queue.push(nameOf(waiting.record));
  reportText(options, waiting, `due; ${options.childrenMax} runs are running, so it waits for one of them`);
}

async function wake(watch: Watch, waiting: Waiting): Promise<void> {
  const { options } = watch;
  const { record, late } = waiting;
  if (!(await isRepoAt(record))) {
    reportGone(options, waiting);
    return wait(waiting);
  }
  waiting.state = 'driven';
  watch.driven += 1;
  const { runId, root } = record;
  const child = wakeChild({ root, runId, env: options.env, ...(late === undefined ? {} : { late }) });
  child.unref();
  // Retries of a run that was not woken are reported only once they succeed.
  if (record.problem === undefined)
    options.report({
      kind: 'woken',
      at: Date.now(),
      ...idOf(record),
      text: `driver started (pid ${child.pid ?? '?'})`,
    });
  void child.ended.then((code) => ended(watch, waiting, code));
}

async function ended(watch: Watch, waiting: Waiting, code: number | null): Promise<void> {
  const { options, queue, runs } = watch;
  const { record } = waiting;
  const left = await readWakeRecord(wakeFileOf(options.stateHome, record));
  watch.driven -= 1;
  waiting.state = 'waits';
  if (left === null) runs.delete(nameOf(record));
  const isSame = left !== null && JSON.stringify(left.awaited) === waiting.awaited;
  if (isSame) wait(waiting);
  if (left?.problem !== undefined && code === 6) reportText(options, waiting, `not woken: ${left.problem}`);
  else options.report({ kind: 'ended', at: Date.now(), ...idOf(record), text: endWords(code) });
  while (watch.driven < options.childrenMax && queue.length > 0) {
    const next = runs.get(queue.shift() ?? '');
    if (next?.state === 'queued') await wake(watch, next);
  }
  watch.change();
}

function wait(waiting: Waiting): void {
  waiting.tries += 1;
  waiting.state = 'waits';
  waiting.notBefore = performance.now() + wakeAgainAfterMs(waiting.record.awaited, waiting.tries);
}

function reportGone(options: WatchOptions, waiting: Waiting): void {
  const { root } = waiting.record;
  reportText(
    options,
    waiting,
    `the repository is no longer at ${root}; the run is kept. In its new folder: untildone status`,
  );
}

/** Once, until there is another message about the run. */
function reportText({ report }: WatchOptions, waiting: Waiting, text: string): void {
  if (waiting.lastText === text) return;
  waiting.lastText = text;
  report({ kind: 'note', at: Date.now(), ...idOf(waiting.record), text });
}

function idOf({ runId, root }: WakeRecord): Pick<WatchEvent, 'runId' | 'root'> {
  return { runId, root };
}

function nameOf({ repoId, runId }: Pick<WakeRecord, 'repoId' | 'runId'>): string {
  return `${repoId}.${runId}.json`;
}

function createChanges(): { readonly change: () => void; next(): Promise<void> } {
  let pulse = Promise.withResolvers<void>();
  let isPending = false;
  return {
    change() {
      isPending = true;
      pulse.resolve();
    },
    next() {
      if (isPending) pulse = Promise.withResolvers<void>();
      isPending = false;
      return pulse.promise;
    },
  };
}

function watchIsLive(pid: number | null): OperatorError {
  return new OperatorError(
    'watch-is-live',
    `\`untildone watch\` is running already${pid === null ? '' : ` (pid ${pid})`}; one is enough for all repositories.`,
    pid === null ? 'Wait for it to end.' : `To restart it, end that process first: kill ${pid}`,
  );
}
