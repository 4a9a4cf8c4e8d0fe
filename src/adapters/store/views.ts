// Writes the views of a run for people and tools. A view that cannot be written never stops a run.
import { appendFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorText } from '#base/error-text.ts';
import { appendOnly, makeFolder, readIfThere } from '#adapters/files/files.ts';
import type { RunPaths, StorePaths } from './paths.ts';

export interface ViewFiles {
  /** Replaces state.json, at most four times a second; always writes the last. Calls a function on write. */
  writeState(state: unknown): void;
  /** Replaces plan.json, at the same rate. */
  writePlan(plan: unknown): void;
  writeMap(markdown: string): void;
  /** Replaces a progress file beside state.json. */
  writeProgress(name: string, text: string): void;
  /** Appends one line to master.log. */
  appendMaster(line: string): void;
  /** Writes everything pending. Never rejects. */
  close(): Promise<void>;
}

export interface ViewOptions {
  readonly paths: StorePaths;
  readonly run: RunPaths;
  /** Called once, with the first failure, in a sentence. */
  onTrouble(text: string): void;
  readonly stateEveryMs?: number;
}

/** A person can follow four updates a second. */
const fourASecondMs = 250;

/** A view may cost a fiftieth of the time: 1,000 tasks take about 20 ms, so once a second. */
export function restAfter(tookMs: number, everyMs: number): number {
  return Math.max(everyMs, tookMs * 50);
}

/** Contract: makes the folders and excludes them from git; neither it nor the returned functions throw. */
export function createViewFiles(options: ViewOptions): ViewFiles {
  const { run } = options;
  let isReported = false;
  const trouble = (error: unknown) => {
    if (isReported) return;
    isReported = true;
    options.onTrouble(
      `The views in ${run.views.folder} cannot be written: ${errorText(error)}. The run continues.`,
    );
  };
  const ready = makeFolders(options).catch(trouble);
  const replacing = (file: string) =>
    latestOnly(options.stateEveryMs ?? fourASecondMs, (value) =>
      ready
        .then(() => replaceFile(file, value))
        .catch((error: unknown) => {
          trouble(error);
          return 0;
        }),
    );
  const queues = new Map<string, Queue<unknown>>();
  const replace = (file: string, value: unknown): void => {
    const queue = queues.get(file) ?? replacing(file);
    queues.set(file, queue);
    queue.push(value);
  };
  const master = inBatches((lines) => ready.then(() => appendLines(run.views.master, lines)).catch(trouble));
  return {
    writeState: (value) => replace(run.views.state, value),
    writePlan: (value) => replace(run.views.plan, value),
    writeMap: (markdown) => replace(run.views.map, markdown),
    writeProgress: (name, text) => replace(join(run.views.folder, name), text),
    appendMaster: (line) => master.push(`${line.replaceAll(/[\r\n]+/g, ' ')}\n`),
    close: async () => {
      await ready;
      await Promise.all([master, ...queues.values()].map((one) => one.close()));
    },
  };
}

async function makeFolders({ paths, run }: ViewOptions): Promise<void> {
  // Logs may be configured to be elsewhere.
  for (const folder of [run.views.folder, run.views.logs, dirname(run.views.master)])
    await makeFolder(folder, 0o777);
  await makeFolder(paths.control, 0o777);
  await exclude(paths.exclude);
}

/** Text with one final line break, anything else as JSON. Returns the milliseconds it took to make. */
async function replaceFile(file: string, content: unknown): Promise<number> {
  const startedAt = performance.now();
  const value: unknown = typeof content === 'function' ? (content as () => unknown)() : content;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isWhole = text === '' || text.endsWith('\n');
  const tookMs = performance.now() - startedAt;
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, isWhole ? text : `${text}\n`, { flag: 'wx' });
    await rename(draft, file);
    return tookMs;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  const handle = await open(file, appendOnly, 0o644);
  try {
    await handle.appendFile(lines.join(''));
  } finally {
    await handle.close();
  }
}

interface Queue<T> {
  push(value: T): void;
  close(): Promise<void>;
}

/** Writes the newest value at once, then at most one per interval. */
function latestOnly(everyMs: number, write: (value: unknown) => Promise<number>): Queue<unknown> {
  let restMs = everyMs;
  let waiting: { readonly value: unknown } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const flush = () => {
    timer = null;
    if (waiting === null) return;
    const { value } = waiting;
    waiting = null;
    writing = writing
      .then(() => write(value))
      .then((tookMs) => {
        restMs = restAfter(tookMs, everyMs);
      });
    timer = setTimeout(flush, restMs);
    timer.unref();
  };
  return {
    push: (value) => {
      waiting = { value };
      if (timer === null) flush();
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer);
      flush();
      if (timer !== null) clearTimeout(timer);
      await writing;
    },
  };
}

/** Writes everything in order, in batches when they come fast. */
function inBatches(write: (batch: readonly string[]) => Promise<void>): Queue<string> {
  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await write(batch);
    }
    writing = null;
  };
  return {
    push: (line) => {
      waiting.push(line);
      writing ??= drain();
    },
    close: async () => {
      await writing;
    },
  };
}

const patterns = ['.untildone/runs/', '.untildone/control/'];

/** Excludes the views from git by `<git common dir>/info/exclude`, which is never committed. */
async function exclude(file: string): Promise<void> {
  const content = (await readIfThere(file))?.toString() ?? '';
  const lines = new Set(content.split(/\r?\n/).map((line) => line.trim()));
  const missing = patterns.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return;
  await makeFolder(dirname(file), 0o777);
  const glue = content === '' || content.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${glue}${missing.join('\n')}\n`);
}
