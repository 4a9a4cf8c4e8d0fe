// A simple world in memory: everything succeeds at once, unless a test says otherwise. For tests of the runtime.
import { createLookout, type Probes } from '#adapters/waiting/lookout.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { Event } from '#kernel/events/events.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Checker } from '#ports/checker.ts';
import type { Inbox } from '#ports/inbox.ts';
import type { LostSession, Sessions, SessionStep } from '#ports/sessions.ts';
import type { Store } from '#ports/store.ts';
import type { Workspace } from '#ports/workspace.ts';
import type { World } from '#ports/world.ts';
import type { SimulatedClock } from '#testing/simulated-clock.ts';
import { simulatedClock } from '#testing/simulated-clock.ts';
import { simulatedConfig } from './simulated-run.ts';

export interface SimulatedWorld extends World {
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly journal: { events: Event[]; synced: number; isOpen: boolean };
  readonly commits: { readonly stepId: string; readonly tree: string }[];
  readonly started: SessionStep[];
  /** What a person asks; returns the id. */
  ask(control: Control): string;
}

export interface SimulatedWorldOptions {
  readonly tasks: readonly Task[];
  readonly config?: Partial<RunConfig>;
  /** What a session does; a promise that never settles is a session that runs until it is steered. */
  readonly session?: (
    step: SessionStep,
    files: string,
  ) => Partial<SessionResult> | Promise<Partial<SessionResult>>;
  readonly check?: (criterionId: string, tree: string) => Verdict;
  readonly adopted?: (step: SessionStep) => SessionResult | LostSession;
  /** One that other worlds go by too; absent: a new one. */
  readonly clock?: SimulatedClock;
  /** How the conditions of a suspension are probed. */
  readonly looks?: Partial<Probes>;
  /** Replaces single calls of a port. */
  readonly workspace?: Partial<Workspace>;
}

export function simulatedWorld(options: SimulatedWorldOptions): SimulatedWorld {
  const files = { tree: 'base' };
  const commits: { stepId: string; tree: string }[] = [];
  const started: SessionStep[] = [];
  const clock = options.clock ?? simulatedClock(1000);
  const at = clock.now();
  const config = simulatedConfig(options.config);
  const events: Event[] = [
    { at, type: 'run-created', runId: 'run', version: eventVersion, config },
    ...options.tasks.map((task): Event => ({ at, type: 'task-added', task, by: 'plan' })),
  ];
  const journal = { events, synced: events.length, isOpen: false };
  const { inbox, ask } = simulatedInbox();
  return {
    clock,
    journal,
    commits,
    started,
    ask,
    inbox,
    store: simulatedStore(journal),
    workspace: { ...simulatedWorkspace(files, commits), ...options.workspace },
    checker: simulatedChecker(files, options),
    sessions: simulatedSessions(files, started, options),
    lookout: createLookout({
      clock,
      probes: { poll: async () => null, file: async () => false, ...options.looks },
    }),
    sweep: async () => 0,
    driver: 'simulated',
    observers: [],
  };
}

function simulatedStore(journal: SimulatedWorld['journal']): Store {
  return {
    create: async () => {},
    list: async () => ['run'],
    read: async () => ({ events: journal.events, notes: [] }),
    readAfter: async () => null,
    holder: async () => null,
    async open() {
      if (journal.isOpen) return { heldBy: { pid: 7, host: 'elsewhere', since: 0 } };
      journal.isOpen = true;
      return {
        events: [...journal.events],
        notes: [],
        position: () => ({ bytes: 0, seq: 0 }),
        async append(events, { sync }) {
          journal.events.push(...events);
          if (sync) journal.synced = journal.events.length;
        },
        async close() {
          journal.isOpen = false;
        },
      };
    },
  };
}

function simulatedInbox(): { inbox: Inbox; ask: (control: Control) => string } {
  const waiting = new Map<string, Control>();
  const taken = new Map<string, Control>();
  let wake = (): void => {};
  let asked = 0;
  return {
    ask(control) {
      asked += 1;
      waiting.set(`k${asked}`, control);
      wake();
      return `k${asked}`;
    },
    inbox: {
      async drop({ id, control }) {
        waiting.set(id, control);
        wake();
      },
      async take() {
        for (const [id, control] of waiting) taken.set(id, control);
        waiting.clear();
        return [...taken].map(([id, control]) => ({ id, by: 'ann', control }));
      },
      async settle(id) {
        taken.delete(id);
      },
      watch(onArrival) {
        wake = onArrival;
        return () => {
          wake = () => {};
        };
      },
    },
  };
}

function simulatedWorkspace(files: { tree: string }, commits: { stepId: string; tree: string }[]): Workspace {
  return {
    root: 'workspace',
    cwd: 'workspace',
    prepare: async () => ({ baseCommit: 'c0', baseTree: 'base', branch: 'untildone/run', pins: [] }),
    snapshot: async () => files.tree,
    async restore(tree, name) {
      const keptAs = files.tree === tree ? null : `refs/untildone/run/${name}`;
      files.tree = tree;
      return keptAs;
    },
    keep: async () => {},
    changedPaths: async (from, to) =>
      to === `${from}+junk` ? [{ path: 'junk', status: 'added' }] : [{ path: 'src', status: 'changed' }],
    async removeAdded(tree) {
      files.tree = tree;
    },
    brokenPins: async () => [],
    async commit({ stepId, tree }) {
      if (!commits.some((one) => one.stepId === stepId)) commits.push({ stepId, tree });
      return { commit: `c-${stepId}` };
    },
    guardRefs: async () => {},
    restoreRefs: async () => [],
    cleanCheckout: async (tree) => ({
      root: `clean ${tree}`,
      cwd: `clean ${tree}`,
      snapshot: async () => tree,
      dispose: async () => {},
    }),
    reviewCheckout: async (tree) => ({
      root: `review ${tree}`,
      cwd: `review ${tree}`,
      record: tree,
      asOnBase: [],
      snapshot: async () => tree,
      dispose: async () => {},
    }),
    reviewTree: async () => null,
    recentCommits: async () => [],
    texts: async () => [],
    diff: async () => ({ stat: '', patch: '' }),
    release: async () => {},
  };
}

function simulatedChecker(files: { tree: string }, { check }: SimulatedWorldOptions): Checker {
  return {
    async check({ criterion, cwd }) {
      const tree = cwd.startsWith('clean ') ? cwd.slice('clean '.length) : files.tree;
      const verdict = check?.(criterion.id, tree) ?? (tree === 'base' ? 'fail' : 'pass');
      const ending = { kind: 'exited', code: verdict === 'pass' ? 0 : 1 } as const;
      return { verdict, reason: `exit ${ending.code}`, ending, tail: '', durationMs: 1 };
    },
  };
}

function simulatedSessions(
  files: { tree: string },
  started: SessionStep[],
  { session, adopted }: SimulatedWorldOptions,
): Sessions {
  return {
    warm: () => {},
    start(step) {
      started.push(step);
      let cut: (result: Partial<SessionResult>) => void = () => {};
      const steered = new Promise<Partial<SessionResult>>((resolve) => {
        cut = resolve;
      });
      const done = Promise.resolve(
        session?.(step, files.tree) ?? { endTree: step.deed.readOnly ? files.tree : 'work' },
      );
      return {
        ended: Promise.race([done, steered]).then((result) => {
          const whole = { ...finished, endTree: files.tree, ...result };
          files.tree = whole.endTree ?? files.tree;
          return whole;
        }),
        steer(steer) {
          if (steer.kind === 'kill')
            cut({ ending: { kind: 'cancelled', reason: steer.reason }, signal: null });
          if (steer.kind === 'interrupt')
            cut({ ending: { kind: 'interrupted', resumeId: step.stepId }, signal: null });
        },
      };
    },
    adopt: async (step) => adopted?.(step) ?? { kind: 'lost', reason: 'nothing is left', usage: null },
    close: async () => {},
  };
}

const finished: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1, tokens: 100 },
  endTree: null,
  log: 'log.jsonl',
  ran: { driver: 'simulated', model: null },
};
