// Shared parts for the tests of this folder: a temporary place, small facts, and child processes that are ended by
// pid.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Event } from '#kernel/events/events.ts';
import type { Journal, Store } from '#ports/store.ts';
import type { StorePaths } from '#adapters/store/paths.ts';
import { storePaths } from '#adapters/store/paths.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';

export interface Bed {
  readonly folder: string;
  readonly paths: StorePaths;
  readonly store: Store;
  readonly notes: string[];
  /** A run `r` with `lines` entries after the first, closed. */
  run(lines: number): Promise<void>;
  /** Contract: throws when another driver holds it. */
  open(runId?: string): Promise<Journal>;
  dispose(): void;
}

export function createBed(folder = mkdtempSync(join(tmpdir(), 'untildone-store-'))): Bed {
  const paths = bedPaths(folder);
  const notes: string[] = [];
  const store = createEmbeddedStore(paths, { onNote: (text) => notes.push(text) });
  const open = async (runId = 'r') => {
    const journal = await store.open(runId);
    if ('heldBy' in journal) throw new Error(`held by ${journal.heldBy.pid}`);
    return journal;
  };
  return {
    folder,
    paths,
    store,
    notes,
    open,
    run: async (lines) => {
      await store.create('r', [runCreated('r')]);
      const journal = await open();
      for (let n = 1; n <= lines; n += 1) await journal.append([reached(n)], { sync: false });
      await journal.close();
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function bedPaths(folder: string): StorePaths {
  return storePaths({
    stateHome: join(folder, 'state'),
    commonDir: join(folder, 'git'),
    repoId: '0123456789abcdef',
    viewsRoot: join(folder, 'checkout'),
  });
}

/** The store does not look into a configuration, so it need not be one. */
export function runCreated(runId: string, at = 1): Event {
  const config = { goal: 'ü "quoted" \u2028 goal' };
  return { at, type: 'run-created', runId, version: 1, config } as unknown as Event;
}

export function reached(due: number): Event {
  return { at: 1000 + due, type: 'clock-reached', due };
}

export function dues(events: readonly Event[]): number[] {
  return events.flatMap((event) => (event.type === 'clock-reached' ? [event.due] : []));
}

/** Whether a program of the system does what it is asked. */
export function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

export interface Child {
  readonly process: ChildProcess;
  /** The next line that it prints; null when it ended. */
  line(): Promise<string | null>;
  /** Everything it printed from now on until it ended. */
  rest(): Promise<string[]>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs a script against a bed's folder, which it gets as `folder`; with `wrap`, through another program. */
export function startChild(folder: string, script: string, wrap: readonly string[] = []): Child {
  const source = `
    import { createBed, reached } from '#test/store/store-bed.ts';
    import { writeSync } from 'node:fs';
    const folder = ${JSON.stringify(folder)};
    const bed = createBed(folder);
    const say = (text) => writeSync(1, text + '\\n');
    ${script}`;
  const node = [process.execPath, '--input-type=module', '-e', source] as const;
  const [program, ...args] = wrap.length === 0 ? node : ['env', ...wrap, ...node];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const next = await lines.next();
    return next.done === true ? null : next.value;
  };
  return {
    process: child,
    line,
    rest: async () => {
      const all: string[] = [];
      for (let next = await line(); next !== null; next = await line()) all.push(next);
      await exited;
      return all;
    },
    kill: (signal) => child.kill(signal),
  };
}
