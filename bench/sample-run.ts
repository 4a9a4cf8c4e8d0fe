// Generates a realistic run: tasks in turn, attempts that fail and pass, ten checks each, commits.
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { Operation, Step, StepResult } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';

const checksPerTask = 10;
const tasksMax = 40;
const day = Date.UTC(2026, 0, 1);
const limits = { wallMs: 3_600_000, idleMs: 600_000, graceMs: 10_000 };
const paragraph =
  'The endpoint answers 200 with the version; without a database it answers 503 and says why. ';

/** The events that `create` of a store takes: the run, its plan. */
export function firstEvents(runId: string): Event[] {
  const created: Fact = { type: 'run-created', runId, version: 1, config: sampleConfig() };
  const tasks = Array.from({ length: tasksMax }, (_, index) => sampleTask(index));
  return [created, ...tasks.map((task): Fact => ({ type: 'task-added', task, by: 'plan' }))].map(atDay);
}

function atDay(fact: Fact): Event {
  return { at: day, ...fact };
}

/** Everything that follows, without end: one event after the other, as a driver would record them. */
export function* laterEvents(): Generator<Event, void> {
  let at = day;
  for (const fact of facts()) {
    at += 37;
    yield { at, ...fact };
  }
}

function* facts(): Generator<Fact> {
  yield { type: 'driver-started', epoch: 1, driver: 'host:4711' };
  const ids = createIds();
  yield* step(ids(), null, { kind: 'prepare' }, prepared());
  for (let round = 1; ; round += 1) {
    for (let index = 0; index < tasksMax; index += 1) yield* attempt(ids, index, round);
  }
}

function createIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `s${count}`;
  };
}

function* attempt(ids: () => string, index: number, round: number): Generator<Fact> {
  const taskId = `task-${index}`;
  yield* step(ids(), taskId, sessionOperation(round), sessionResult(round));
  const check = ids();
  const criteria = criteriaOf(index).map(({ id }) => ({ taskId, criterionId: id }));
  const deed: Operation = {
    kind: 'check',
    purpose: 'attempt',
    place: 'workspace',
    when: 'attempt',
    criteria,
  };
  yield { type: 'step-started', step: stepOf(check, taskId, deed) };
  for (const { criterionId } of criteria) {
    yield { type: 'evidence-recorded', evidence: evidence(taskId, criterionId, check) };
  }
  yield { type: 'step-ended', stepId: check, result: { kind: 'check', treeAfter: hash(7), brokenPins: [] } };
  yield { type: 'attempt-failed', taskId, attempt: round, reason: 'check-3 failed: exit 1' };
}

function* step(stepId: string, taskId: string | null, deed: Operation, result: StepResult): Generator<Fact> {
  yield { type: 'step-started', step: stepOf(stepId, taskId, deed) };
  yield { type: 'step-ended', stepId, result };
}

export function sessionOperation(attemptNumber: number): Operation {
  return {
    kind: 'session',
    role: 'builder',
    attempt: attemptNumber,
    ordinal: attemptNumber,
    agent: { name: 'main', model: 'large' },
    prompt: paragraph.repeat(8),
    readOnly: false,
    words: { done: 'DONE', reportTag: null },
    limits,
    resume: null,
  };
}

export function sessionResult(ordinal: number): StepResult {
  return {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: { kind: 'done' },
    usage: { usd: 0.42, tokens: 81_203 },
    endTree: hash(7),
    log: `builder_${String(ordinal).padStart(3, '0')}_2026-01-01_00-00-00.jsonl`,
    ran: { driver: 'command', model: 'large' },
  };
}

export function stepOf(stepId: string, taskId: string | null, deed: Operation): Step {
  const reserve =
    deed.kind === 'session' ? { sessions: 1, usd: 5, tokens: 2e6 } : { sessions: 0, usd: 0, tokens: 0 };
  return { stepId, taskId, baseTree: deed.kind === 'prepare' ? null : hash(7), reserve, deed };
}

function prepared(): StepResult {
  const pins = Array.from({ length: 20 }, (_, n) => ({
    path: `test/case-${n}.test.ts`,
    hash: hash(n),
    why: 'a test',
  }));
  return { kind: 'prepare', baseCommit: hash(1), baseTree: hash(2), branch: 'untildone/sample', pins };
}

function evidence(taskId: string, criterionId: string, stepId: string): Evidence {
  const passes = criterionId !== 'check-3';
  return {
    taskId,
    criterionId,
    stepId,
    purpose: 'attempt',
    place: 'workspace',
    tree: hash(7),
    verdict: passes ? 'pass' : 'fail',
    reason: passes ? 'exit 0' : 'exit 1',
    command: `npm test -- ${criterionId}`,
    ending: { kind: 'exited', code: passes ? 0 : 1 },
    tail: passes ? 'ok 12 tests\n' : 'not ok 3 "answers 503"\n  expected 503, got 200\n'.repeat(4),
    log: `${stepId}_${criterionId}.log`,
    durationMs: 1234,
  };
}

function criteriaOf(index: number): Task['criteria'] {
  return Array.from({ length: checksPerTask }, (_, n) => ({
    id: `check-${n}`,
    text: `test ${n} of task ${index} passes`,
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: { kind: 'command', run: `npm test -- check-${n}`, cwd: '', timeoutMs: 1_200_000 },
  }));
}

function sampleTask(index: number): Task {
  return {
    id: `task-${index}`,
    title: `endpoint ${index}`,
    description: paragraph.repeat(3),
    files: [`src/endpoint-${index}.ts`],
    hints: [],
    dependsOn: [],
    domain: null,
    criteria: criteriaOf(index),
    mayChange: [],
  };
}

function sampleConfig(): RunConfig {
  const agent = { name: 'main', model: 'large' };
  const role = { agent, prompt: paragraph.repeat(20), words: { done: 'DONE', reportTag: null }, limits };
  return {
    ...simulatedConfig(),
    goal: paragraph,
    key: hash(3),
    inputs: hash(4),
    repo: {
      repoId: '0123456789abcdef',
      baseCommit: hash(1),
      branch: 'untildone/sample',
      inPlace: false,
      protectedBranches: [],
      prefix: '',
    },
    agents: { main: { driver: 'command', env: [], options: { command: 'agent' } } },
    roles: { builder: { ...role, readOnly: false }, verifier: { ...role, readOnly: true } },
    budget: {
      sessions: 1e6,
      attemptsPerTask: 1e6,
      activeMs: 1e12,
      usd: 1e9,
      tokens: 1e15,
      sessionUsd: 5,
      sessionTokens: 2e6,
    },
  };
}

function hash(seed: number): string {
  return (seed + 1).toString(16).padStart(2, '0').repeat(20);
}
