// The open journal: appends lines one at a time, and acknowledges only what is on disk.
import { statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { assert } from '#base/assert.ts';
import { type Event, eventVersion } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Journal } from '#ports/store.ts';
import { appendOnly } from '#adapters/files/files.ts';
import { diskFull, writeError, asWriteError } from '#adapters/files/io-error.ts';
import { encodeLine } from './line.ts';
import type { MirrorWriter } from './mirror.ts';
import type { Scan } from './scan.ts';
import { orElse } from '#base/or-else.ts';

const what = 'The journal';
/** Dirty pages of the mirror on the same disk would delay the journal's next sync. */
const mirrorDelayMs = 50;

export function encodeEntry(seq: number, epoch: number, events: readonly Event[]): Buffer {
  assert(events.length > 0, 'an entry holds at least one event');
  return Buffer.from(JSON.stringify({ v: eventVersion, seq, epoch, events }));
}

/** The epoch after these events. Contract: a driver that takes over raises it. */
export function nextEpoch(epoch: number, events: readonly Event[]): number {
  let now = epoch;
  for (const event of events) {
    if (event.type !== 'driver-started') continue;
    assert(event.epoch > now, `a new driver has a higher epoch than ${now}, not ${event.epoch}`);
    now = event.epoch;
  }
  return now;
}

/** Contract: the caller holds the lock, and the journal is sound. */
export async function openJournal(order: {
  readonly file: string;
  readonly scan: Scan;
  readonly notes: readonly string[];
  readonly mirror: MirrorWriter | null;
  /** Frees the lock. */
  release(): Promise<void>;
}): Promise<Journal> {
  const { file, scan } = order;
  const tail = await openTail(file);
  const mirror = delayed(order.mirror);
  let { epoch } = scan;
  let seq = scan.crcs.length;
  let last: Promise<unknown> = Promise.resolve();
  let failure: OperatorError | null = null;
  let isClosed = false;

  const write = async (events: readonly Event[], sync: boolean) => {
    if (failure !== null) throw failure;
    const raised = nextEpoch(epoch, events);
    const json = encodeEntry(seq + 1, raised, events);
    try {
      await tail.append(encodeLine(json), sync);
    } catch (error) {
      failure = writeError(error, what, file);
      throw failure;
    }
    [seq, epoch] = [seq + 1, raised];
    mirror.push(json);
  };

  return {
    events: scan.events,
    notes: order.notes,
    append: (events, { sync }) => {
      assert(!isClosed, 'a closed journal takes no events');
      const done = last.then(() => write(events, sync));
      last = done.catch(() => undefined);
      return done;
    },
    position: () => ({ bytes: tail.size(), seq }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await last;
      await mirror.close();
      await tail.close();
      await order.release();
    },
  };
}

/** Collects lines for the mirror, which lags anyway; after a crash the next driver brings it up to date. */
function delayed(mirror: MirrorWriter | null): MirrorWriter {
  let waiting: Buffer[] = [];
  let timer: NodeJS.Timeout | null = null;
  const passToMirror = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const lines = waiting;
    waiting = [];
    for (const json of lines) mirror?.push(json);
  };
  return {
    push: (json) => {
      if (mirror === null) return;
      waiting.push(json);
      timer ??= setTimeout(passToMirror, mirrorDelayMs).unref();
    },
    close: async () => {
      passToMirror();
      await mirror?.close();
    },
  };
}

interface Tail {
  append(line: Buffer, sync: boolean): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

/**
 * The end of the file, as long as no other process writes it. Stat and write only reach the page cache and
 * take microseconds, less than a trip through the thread pool. Only the sync is asynchronous.
 */
async function openTail(file: string): Promise<Tail> {
  const handle = await open(file, appendOnly, 0o600).catch(asWriteError(what, file));
  const { ino, size: sizeAtStart } = await handle.stat();
  let size = sizeAtStart;
  return {
    append: async (line, sync) => {
      refuseReplacedFile(file, ino, size);
      if (writeSync(handle.fd, line) !== line.length) throw diskFull(what, file);
      size += line.length;
      if (sync) await handle.datasync();
    },
    size: () => size,
    close: () => handle.close(),
  };
}

/** By name, not by descriptor: a replaced journal is as wrong as one that grew. */
function refuseReplacedFile(file: string, ino: number, size: number): void {
  const found = orElse(() => statSync(file, { throwIfNoEntry: false }), undefined);
  if (found?.ino === ino && found.size === size) return;
  throw new OperatorError(
    'another-driver-wrote',
    `${file} was ${found === undefined ? 'removed' : 'changed'} by another program while this driver held the run.`,
    'See `untildone status` for who drives it now; this driver has stopped and overwrote nothing.',
  );
}
