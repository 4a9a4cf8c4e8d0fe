// For tests of the calibration: a real repository with a base and a change, and the acceptance of a run on it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createChecker } from '#adapters/checkers/create-checker.ts';
import { processes } from '#test/checkers/checks-bed.ts';
import { makeSample, openSample, type Opened, type Sample } from '#test/git/sample-repository.ts';
import { apply, replay } from '#kernel/fold/apply.ts';
import { present } from '#base/assert.ts';
import type { MachineCheck } from '#kernel/model/check.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { TamperEntry } from '#kernel/proof/tampering.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import type { CheckDeps } from '#ports/world.ts';
import type { Checker } from '#ports/checker.ts';
import { performCheck } from '#runtime/steps/perform-check.ts';
import { toolFolders } from '../scoreboard/cases/toolchains.ts';
import {
  commandCriterion,
  reviewerCriterion,
  simulatedConfig,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { StepOf } from '#runtime/steps/performance.ts';
import type { PastSession } from '#kernel/model/session-name.ts';

/** Path to text; null removes the file. */
export type Files = { readonly [path: string]: string | null };

export interface CalibrationCase {
  readonly base: Files;
  readonly work: Files;
  /** A command line, or a whole check. */
  readonly check: string | MachineCheck;
  readonly criterion?: Partial<Criterion>;
  readonly more?: readonly Criterion[];
  readonly config?: Partial<RunConfig>;
  /** Paths whose change a person accepted, and by whom if that was no person. */
  readonly accepted?: readonly string[];
  readonly acceptedBy?: string;
  /** What a second task changed after this one. */
  readonly later?: Files;
  /** No rule about pinned files and no count of tests gets in the way: the calibration alone decides. */
  readonly isAlone?: boolean;
  /** Changes the checker: to count its runs, to cancel. */
  readonly through?: (checker: Checker) => Checker;
}

export interface Calibrated {
  readonly base: Evidence;
  /** As recorded last at the acceptance. */
  readonly evidence: Evidence;
  readonly calibration: readonly Calibration[];
  readonly facts: readonly Fact[];
  readonly run: Run;
  /** How often the check ran in all at the acceptance. */
  readonly runs: number;
}

export async function calibrateCase(given: CalibrationCase): Promise<Calibrated> {
  const sample = makeSample();
  try {
    return await accept(sample, given);
  } finally {
    sample.remove();
  }
}

/** The calibration alone decides, and a reviewer is asked as well, without which added tests prove nothing. */
export function calibrateReviewed(
  sample: Pick<CalibrationCase, 'base' | 'work'> & Partial<CalibrationCase>,
): Promise<Calibrated> {
  return calibrateCase({ check: 'node --test', isAlone: true, more: [reviewerCriterion], ...sample });
}

export function addedTestsIn({ calibration }: Calibrated): Calibration | undefined {
  return calibration.find(({ kind }) => kind === 'added-tests');
}

async function accept(sample: Sample, given: CalibrationCase): Promise<Calibrated> {
  put(sample.root, given.base);
  sample.commit('base');
  const opened = await openSample(sample);
  const check: MachineCheck =
    typeof given.check === 'string'
      ? { kind: 'command', run: given.check, cwd: '', timeoutMs: 60_000 }
      : given.check;
  const criterion: Criterion = { ...commandCriterion('works'), check, ...given.criterion };
  const criteria = [criterion, ...(given.more ?? [])];
  const prepared = await opened.workspace.prepare(criteria);
  put(opened.workspace.root, given.work);
  const ownTree = await opened.workspace.snapshot();
  const run = replay(created(given, criteria, prepared));
  const entries = await present(opened.workspace.trees, 'git makes trees').list(ownTree);
  for (const path of given.accepted ?? []) {
    const entry = acceptedEntry(path, ownTree, entries.get(path) ?? '');
    run.tampering.push({ ...entry, by: given.acceptedBy ?? entry.by });
  }
  run.sessions.push(verifierSession);
  const main = present(run.tasks.get('main'), 'the run has a task');
  main.start.tree = prepared.baseTree;
  main.workTree = ownTree;
  put(opened.workspace.root, given.later ?? {});
  const workTree = await opened.workspace.snapshot();
  const counting = { runs: 0 };
  const checkDeps = checkDepsOf(sample, opened, counting, given);
  const facts: Fact[] = [];
  await perform(run, checkDeps, stepOf(criteria, 'base', prepared.baseTree), () => {});
  counting.runs = 0;
  await perform(run, checkDeps, stepOf(criteria, 'acceptance', workTree), (more) => facts.push(...more));
  const seen = present(run.tasks.get('main')?.evidence.get('works'), 'the check has evidence');
  const evidence = present(seen.acceptance, 'the check was accepted');
  const { runs } = counting;
  const base = present(seen.base, 'the check ran on the base');
  return { base, evidence, calibration: evidence.calibration ?? [], facts, run, runs };
}

const verifierSession: PastSession = {
  taskId: 'main',
  role: 'verifier',
  ordinal: 1,
  attempt: 1,
  agent: { name: 'a', model: null },
  ran: null,
};

function acceptedEntry(path: string, tree: string, content: string): TamperEntry {
  const where = { path, content, tree, stepId: '0002-check', taskId: 'main', session: 'builder_001' };
  const change = { change: 'changed', why: 'is a test', weakening: [], isAllowed: false } as const;
  return { ...where, ...change, at: 1, state: 'accepted', by: 'ada', reason: 'read it' };
}

function put(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    if (text === null) rmSync(target, { recursive: true });
    else writeFileSync(target, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

type Prepared = Awaited<ReturnType<Opened['workspace']['prepare']>>;

function created(
  { config, later }: CalibrationCase,
  criteria: readonly Criterion[],
  prepared: Prepared,
): Event[] {
  // One run of a check that turned green is enough here.
  const flaky = { retries: 0, passes: null, again: { looks: 1, withinMs: 1000 } };
  const task = simulatedTask('main', { criteria });
  const step = { taskId: null, baseTree: null, reserve: { sessions: 0, usd: 0, tokens: 0 } };
  const facts: Fact[] = [
    {
      type: 'run-created',
      runId: 'run1',
      version: 1,
      config: simulatedConfig({ calibration: 'auto', flaky, ...config }),
    },
    { type: 'task-added', task, by: 'plan' },
    ...(later === undefined
      ? []
      : [{ type: 'task-added', task: simulatedTask('other', {}), by: 'plan' } as const]),
    { type: 'step-started', step: { ...step, stepId: '0001-prepare', deed: { kind: 'prepare' } } },
    { type: 'step-ended', stepId: '0001-prepare', result: { kind: 'prepare', ...prepared } },
  ];
  return facts.map((fact) => ({ at: 1, ...fact }));
}

function stepOf(
  criteria: readonly Criterion[],
  purpose: 'base' | 'acceptance',
  tree: string,
): StepOf<CheckOperation> {
  const operation: CheckOperation = {
    kind: 'check',
    purpose,
    place: 'clean',
    when: purpose === 'base' ? 'attempt' : 'acceptance',
    criteria: criteria.map(({ id }) => ({ taskId: 'main', criterionId: id })),
  };
  const taskId = purpose === 'base' ? 'main' : null;
  return {
    stepId: `0002-check-${purpose}`,
    taskId,
    baseTree: tree,
    reserve: { sessions: 0, usd: 0, tokens: 0 },
    deed: operation,
  };
}

async function perform(
  run: Run,
  checkDeps: CheckDeps,
  step: StepOf<CheckOperation>,
  onFacts: (facts: readonly Fact[]) => void,
): Promise<void> {
  const record = (facts: readonly Fact[]): void => {
    for (const fact of facts) if (fact.type !== 'step-ended') apply(run, { at: 1, ...fact });
    onFacts(facts);
  };
  record(await performCheck(step, run, checkDeps, record).ended);
}

/**
 * The programs themselves: the starters of version managers take longer than most checks here. Our own Node comes first, because
 * the folder of another program may hold an older one.
 */
const checkEnv = {
  PATH: [dirname(process.execPath), ...toolFolders(), process.env['PATH'] ?? ''].join(delimiter),
  GOCACHE: process.env['GOCACHE'] ?? '',
  PYTHONDONTWRITEBYTECODE: '1',
};

function checkDepsOf(
  sample: Sample,
  { workspace }: Opened,
  counting: { runs: number },
  { through = (checker) => checker, isAlone = false }: CalibrationCase,
): CheckDeps {
  const real = createChecker({
    processes,
    logsDir: join(sample.home, 'logs'),
    env: { ...checkEnv, HOME: sample.home },
    redactor: { redact: (text) => text, stream: () => ({ push: (text) => text, end: () => '' }) },
    since: 0,
    browser: { entry: '', chromePath: null, nodePath: '' },
  });
  const checker = through(real);
  return {
    workspace: isAlone ? { ...workspace, brokenPins: async () => [] } : workspace,
    clock: { now: () => Date.now() } as CheckDeps['clock'],
    checker: {
      async check(request) {
        counting.runs += 1;
        const finding = await checker.check(request);
        const { ranTests: _ranTests, tests: _tests, ...uncounted } = finding;
        return isAlone ? uncounted : finding;
      },
    },
  };
}
