// Controls on their way to one run: dropped by rename, taken by rename, deleted only when the journal has
// them. A decision is only announced here; it is fetched from the living process that asks for it.
import { randomBytes } from 'node:crypto';
import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Judge } from './collect.ts';
import type { ControlRequest } from '#kernel/events/control.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Arrival, Inbox } from '#ports/inbox.ts';
import { parseControlRequest, type WrittenRequest } from '#kernel/events/control-schema.ts';
import { makeFolder, syncFolder, writeSynced } from '#adapters/files/files.ts';
import { isMissing, writeError } from '#adapters/files/io-error.ts';
import type { RunPaths } from '#adapters/store/paths.ts';
import { createReception, type Receive } from './reception.ts';
import { touchedControls } from './touched.ts';

export interface InboxOptions {
  readonly run: RunPaths;
  /** `.untildone/control`. */
  readonly control: string;
  /** When the driver started: earlier touches were meant for other drivers. */
  readonly since: number;
  /** Receives sentences about requests that were set aside, with the reason. */
  onNote?(text: string): void;
  /** Decides who may decide; only a driver uses it. */
  readonly judge: Judge;
}

/** Bytes; a control with a whole task has a few thousand. */
const sizeMax = 1 << 20;
/** A fallback for fs.watch, which some file systems do not support. */
const pollMs = 400;

/** The file of each taken control until it is settled; null for a touched file, which stays. */
type Taken = Map<string, string | null>;

export function createInbox(options: InboxOptions): Inbox {
  const { run } = options;
  const taken: Taken = new Map();
  const reception = createReception(options.judge);
  return {
    drop: async (request) => void (await writeRequest(run, request)),
    take: async () => {
      await moveAside(run);
      const receive = reception.begin();
      return [...(await readTaken(options, taken, receive)), ...(await touched(options, taken))];
    },
    settle: async (id) => {
      const file = taken.get(id) ?? null;
      if (file !== null) await unlink(file).catch(ignoreMissing);
      reception.settle(id);
    },
    watch: (onArrival) => {
      const isWaiting = async () =>
        (await namesIn(run.inbox)).length > 0 || (await freshTouches(options, taken)).length > 0;
      return watchFolders([run.inbox, options.control], isWaiting, onArrival);
    },
  };
}

/** Announces that a decision waits at this address. Returns a function that withdraws it. */
export async function announce(
  run: RunPaths,
  request: ControlRequest,
  from: string,
): Promise<() => Promise<void>> {
  const name = await writeRequest(run, { ...request, from });
  return async () => {
    for (const folder of [run.inbox, run.taken]) await unlink(join(folder, name)).catch(ignoreMissing);
  };
}

async function writeRequest(run: RunPaths, request: ControlRequest | WrittenRequest): Promise<string> {
  const name = `${String(Date.now()).padStart(15, '0')}-${nextTick()}-${randomBytes(3).toString('hex')}.json`;
  const draft = join(run.inbox, `.${name}`);
  try {
    await writeSynced(draft, JSON.stringify(request));
    await rename(draft, join(run.inbox, name));
    await syncFolder(run.inbox);
    return name;
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    if (isMissing(error)) throw noSuchRun(run);
    throw writeError(error, `A request to run ${run.runId}`, run.inbox);
  }
}

let tick = 0;
/** Keeps the order of requests that one process drops within a millisecond. */
function nextTick(): string {
  tick = (tick + 1) % 1_000_000;
  return String(tick).padStart(6, '0');
}

/** A driver that dies before `settle` leaves it in `taken/`, where the next driver finds it. */
async function moveAside(run: RunPaths): Promise<void> {
  for (const name of await namesIn(run.inbox)) {
    await rename(join(run.inbox, name), join(run.taken, name)).catch(ignoreMissing);
  }
}

async function readTaken(options: InboxOptions, taken: Taken, receive: Receive): Promise<readonly Arrival[]> {
  const { run } = options;
  const inProgress = new Set(taken.values());
  const arrivals: Arrival[] = [];
  for (const name of await namesIn(run.taken)) {
    const file = join(run.taken, name);
    if (inProgress.has(file)) continue;
    const written = await readRequest(file);
    const arrival = written === null ? null : await receive(written);
    if (arrival === null) {
      await setAside(options, name);
    } else if (taken.has(arrival.id)) {
      await unlink(file).catch(ignoreMissing);
    } else {
      taken.set(arrival.id, file);
      arrivals.push(arrival);
    }
  }
  return arrivals;
}

/** Null if it is no request or unreadable. */
async function readRequest(file: string): Promise<WrittenRequest | null> {
  try {
    const found = await lstat(file);
    if (!found.isFile() || found.size > sizeMax) return null;
    return parseControlRequest(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

async function setAside(options: InboxOptions, name: string): Promise<void> {
  const { run } = options;
  const kept = join(run.aside, `${name}-${randomBytes(3).toString('hex')}`);
  await makeFolder(run.aside);
  await rename(join(run.taken, name), kept).catch(ignoreMissing);
  options.onNote?.(`The inbox of run ${run.runId} contained an invalid request; it is kept as ${kept}.`);
}

async function touched(options: InboxOptions, taken: Taken): Promise<readonly ControlRequest[]> {
  const fresh = await freshTouches(options, taken);
  for (const request of fresh) taken.set(request.id, null);
  return fresh;
}

async function freshTouches(options: InboxOptions, taken: Taken): Promise<readonly ControlRequest[]> {
  const found = await touchedControls(options.control, options.since);
  return found.filter((request) => !taken.has(request.id));
}

/** Oldest first. Names that begin with a dot are being written. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw writeError(error, 'The inbox', folder);
  });
  return names.filter((name) => !name.startsWith('.')).sort();
}

function watchFolders(
  folders: readonly string[],
  isWaiting: () => Promise<boolean>,
  onArrival: () => void,
): () => void {
  const watchers = folders.flatMap((folder) => watchFolder(folder, onArrival));
  let isOver = false;
  const readFolder = () =>
    isWaiting().then(
      (isThere) => (isThere && !isOver ? onArrival() : undefined),
      () => undefined,
    );
  const timer = setInterval(() => void readFolder(), pollMs);
  return () => {
    isOver = true;
    clearInterval(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function watchFolder(folder: string, onArrival: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, onArrival);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function noSuchRun(run: RunPaths): OperatorError {
  return new OperatorError(
    'no-such-run',
    `There is no run ${run.runId} in this repository.`,
    '`untildone status` lists the runs.',
  );
}
