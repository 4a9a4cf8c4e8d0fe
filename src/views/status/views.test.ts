import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Payer } from '#kernel/model/config.ts';
import type { Evidence, Purpose, Verdict } from '#kernel/model/criterion.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { Run } from '#kernel/fold/run.ts';
import { simulatedBudget, simulatedConfig, simulatedPolicy } from '#test/simulated/simulated-run.ts';
import { listText } from './list.ts';
import { masterLogLine } from '#views/lines/master-log.ts';
import { progressBlock } from './progress.ts';
import { historyText } from '#views/lines/show.ts';
import { openReport } from '#views/report/report.ts';
import { stateJson } from './state-json.ts';
import { statementOf } from '#views/report/statement.ts';
import { statsOf, statsText } from './stats.ts';
import { statusText } from './status.ts';
import { completedSteps } from './steps.ts';
import { summaryText } from '#views/report/summary.ts';
import {
  budgetLeft,
  costLine,
  elapsed,
  paidWords,
  payerWords,
  tokens,
  withPresentTime,
} from '#views/words.ts';

const start = Date.UTC(2026, 10, 15, 20, 0);
const limits = { wallMs: 1, idleMs: 1, graceMs: 1 };
const role = (readOnly: boolean) => ({
  agent: { name: 'mine', model: 'big' },
  prompt: '',
  words: { done: 'D', reportTag: null },
  readOnly,
  limits,
});
const config = simulatedConfig({
  goal: 'Add a health endpoint',
  repo: { ...simulatedConfig().repo, branch: 'untildone/r1' },
  agents: { mine: { driver: 'command', env: [], options: {} } },
  roles: { builder: role(false), verifier: role(true) },
  policy: simulatedPolicy({ cooldownMs: 2000 }),
  budget: simulatedBudget({ attemptsPerTask: 20 }),
});
const task = {
  id: 'main',
  title: 'Add a health endpoint',
  description: 'Add a health endpoint',
  files: [],
  hints: [],
  dependsOn: [],
  domain: null,
  mayChange: [],
};
const exit = { kind: 'exit', required: true, when: 'attempt' } as const;
const npmTest = {
  ...exit,
  id: 'npm-test',
  text: '`npm test` passes',
  check: { kind: 'command', run: 'npm test', cwd: '', timeoutMs: 1 },
} as const;
const verifier = {
  ...exit,
  id: 'verifier',
  text: 'a verifier finds nothing wrong',
  check: { kind: 'reviewer', role: 'verifier' },
} as const;

/** Facts a minute apart. */
function life(facts: readonly Fact[]): Event[] {
  return facts.map((fact, index) => ({ at: start + index * 60_000, ...fact }));
}

function begin(criteria = [npmTest, verifier] as const): Fact[] {
  return [
    { type: 'run-created', runId: 'r1', version: 1, config },
    { type: 'task-added', task: { ...task, criteria: [...criteria] }, by: 'start' },
    { type: 'driver-started', epoch: 1, driver: 'host:1' },
    started(step('0001-prepare', { kind: 'prepare' }, null)),
    {
      type: 'step-ended',
      stepId: '0001-prepare',
      result: {
        kind: 'prepare',
        baseCommit: 'c0c0c0c0c0c0',
        baseTree: 't0',
        branch: 'untildone/r1',
        pins: [],
      },
    },
  ];
}

function step(
  stepId: string,
  operation: Step['deed'],
  baseTree: string | null,
  taskId: string | null = 'main',
): Step {
  const sessions = operation.kind === 'session' ? 1 : 0;
  return {
    stepId,
    taskId: operation.kind === 'prepare' ? null : taskId,
    baseTree,
    reserve: { sessions, usd: 0, tokens: 0 },
    deed: operation,
  };
}

function started(one: Step): Fact {
  return { type: 'step-started', step: one };
}

function session(stepId: string, who: string, endTree: string, change: Partial<SessionResult> = {}): Fact[] {
  const operation: Step['deed'] = {
    kind: 'session',
    role: who,
    attempt: 1,
    ordinal: 1,
    agent: { name: 'mine', model: 'big' },
    prompt: '',
    readOnly: who === 'verifier',
    words: { done: 'D', reportTag: null },
    limits,
    resume: null,
  };
  const result: SessionResult = {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: { kind: 'done' },
    usage: { usd: 0.25, tokens: 12_000 },
    endTree,
    log: `${who}_001_2026-11-15_20-05-00.jsonl`,
    ran: { driver: 'command', model: 'big' },
    ...change,
  };
  return [started(step(stepId, operation, endTree)), { type: 'step-ended', stepId, result }];
}

function seen(criterionId: string, purpose: Purpose, verdict: Verdict, tree: string): Fact {
  const stepId = purpose === 'acceptance' ? acceptance.stepId : 's';
  const command = criterionId === 'verifier' ? null : 'npm test';
  const evidence: Evidence = {
    taskId: 'main',
    criterionId,
    stepId,
    purpose,
    place: purpose === 'attempt' ? 'workspace' : 'clean',
    tree,
    verdict,
    reason: verdict === 'pass' ? 'exit 0' : 'exit 1',
    command,
    ending: null,
    tail: '',
    log: 'check_001.log',
    durationMs: 1,
  };
  return { type: 'evidence-recorded', evidence };
}

const acceptance: Step = step(
  '0006-check-acceptance',
  { kind: 'check', purpose: 'acceptance', place: 'clean', when: 'acceptance', criteria: [] },
  't1',
  null,
);
const firstAttempt = [
  ...begin(),
  seen('npm-test', 'base', 'fail', 't0'),
  ...session('0003-builder-main', 'builder', 't1'),
];
const green = [...firstAttempt, seen('npm-test', 'attempt', 'pass', 't1')];
const completed: Fact[] = [
  ...green,
  ...session('0004-verifier-main', 'verifier', 't1'),
  seen('verifier', 'attempt', 'pass', 't1'),
  { type: 'task-proven', taskId: 'main', tree: 't1' },
  started(step('0005-commit-main', { kind: 'commit', parent: 'c0', message: 'm' }, 't1')),
  { type: 'step-ended', stepId: '0005-commit-main', result: { kind: 'commit', commit: 'c1c1c1c1c1c1' } },
  started(acceptance),
  seen('npm-test', 'acceptance', 'pass', 't1'),
  {
    type: 'step-ended',
    stepId: acceptance.stepId,
    result: { kind: 'check', treeAfter: 't1', brokenPins: [] },
  },
  { type: 'acceptance-passed', commit: 'c1c1c1c1c1c1', tree: 't1', epoch: 1 },
  { type: 'run-ended', outcome: 'completed', reason: 'every required criterion passed on a clean checkout' },
];
const exhausted: Fact[] = [
  ...firstAttempt,
  seen('npm-test', 'attempt', 'fail', 't1'),
  { type: 'report-received', taskId: 'main', stepId: 'x', text: 'Critical issues:\n- none of it works' },
  { type: 'attempt-failed', taskId: 'main', attempt: 1, reason: 'npm-test: exit 1' },
  { type: 'task-failed', taskId: 'main', outcome: 'exhausted', reason: 'the only attempt was used' },
  { type: 'run-ended', outcome: 'exhausted', reason: 'the only attempt was used' },
];

/** Green in the workspace, red on the clean checkout. */
const acceptedNot: Fact[] = [
  ...completed.slice(0, -4),
  seen('npm-test', 'acceptance', 'fail', 't1'),
  {
    type: 'step-ended',
    stepId: acceptance.stepId,
    result: { kind: 'check', treeAfter: 't1', brokenPins: [] },
  },
  { type: 'task-reopened', taskId: 'main', reason: 'on a clean checkout: npm-test: exit 1' },
];
const givenUp: Fact[] = [
  ...acceptedNot,
  { type: 'task-failed', taskId: 'main', outcome: 'exhausted', reason: 'the only attempt was used' },
];
const rejected: Fact[] = [
  ...givenUp,
  { type: 'run-ended', outcome: 'exhausted', reason: 'the only attempt was used' },
];

const run = (facts: readonly Fact[]): Run => replay(life(facts));

describe('Progress', () => {
  it('The progress block has exactly four lines [Q9]', () => {
    expect(progressBlock(run(green))).toBe(
      [
        'Progress: [1 of 2] ▰▰▰▰▰▱▱▱▱▱ 50%',
        'Current: Task 1 - Add a health endpoint',
        'Status: between steps',
        'Time: 6m elapsed',
      ].join('\n'),
    );
  });

  it('Progress counts the criteria that pass on the current tree, not the claims of an agent [Q9]', () => {
    expect(completedSteps(run(firstAttempt))).toEqual({ done: 0, all: 2 });
    expect(completedSteps(run(green))).toEqual({ done: 1, all: 2 });
    const rebuilt = [
      ...green,
      ...session('0005-builder-main', 'builder', 't2', { signal: { kind: 'done' } }),
    ];
    expect(completedSteps(run(rebuilt))).toEqual({ done: 0, all: 2 });
  });

  it('The progress block names the current activity', () => {
    const building = firstAttempt.slice(0, -1);
    expect(progressBlock(run(building))).toContain('Status: builder at work (attempt 1)');
    expect(progressBlock(run(completed))).toContain('Progress: [2 of 2] ▰▰▰▰▰▰▰▰▰▰ 100%');
  });
});

/** As if the preset were `criteria`. */
function ofLoop(other: Run): Run {
  return { ...other, config: { ...other.config, preset: 'criteria' } };
}

describe('Status', () => {
  it('Status of the preset criteria prints the documented block [K12]', () => {
    const loop = ofLoop(run(green));
    expect(statusText(loop, { holder: 'pid 7 on host' }).split('\n').slice(0, 10)).toEqual([
      '📊 Active Loop Session',
      'Task: main - Add a health endpoint',
      'Iteration: 1',
      'Retries: 0',
      '',
      'Acceptance Criteria:',
      '  ✅ npm-test: `npm test` passes',
      '  ⏳ verifier: a verifier finds nothing wrong',
      '',
      'Can exit: No (incomplete)',
    ]);
    expect(statusText(ofLoop(run(green)), { holder: null })).toMatch(/^📊 Loop Session \(interrupted\)\n/);
    expect(statusText(ofLoop(run(completed)), { holder: null })).toMatch(/^📊 Loop Session\n/);
  });

  it('Status of a preset without a loop over criteria begins with the run and its state [K12]', () => {
    expect(statusText(run(green), { holder: 'pid 7 on host' }).split('\n').slice(0, 8)).toEqual([
      '📊 Run r1 (builder-verifier): running',
      'Task: main - Add a health endpoint',
      'Attempts: 1',
      '',
      'Criteria:',
      '  ✅ npm-test: `npm test` passes',
      '  ⏳ verifier: a verifier finds nothing wrong',
      '',
    ]);
    const ended = statusText(run(completed), { holder: null });
    expect(ended).toMatch(/^📊 Run r1 \(builder-verifier\): completed\n/);
    expect(ended).toContain('\nEnded: completed (');
    expect(ended).not.toMatch(/Loop|Can exit|Active/);
  });

  it('A running session is named, and its cost is not shown as zero [X1]', () => {
    const building = withPresentTime(run(firstAttempt.slice(0, -1)), start + 6 * 60_000 + 11_000);
    const live = statusText(building, { holder: 'pid 7' });
    expect(live).toContain('\nRan: builder_001 mine (big) (under way)\n');
    expect(live).toMatch(/\nSpent: 1 session \(1 under way\), cost unknown so far, 4m of work\n/);
    expect(live).toMatch(/\nLeft: \d+ sessions, USD unknown, /);
    const agents = { mine: { driver: 'claude', env: [], options: {} } };
    const telling = { ...building, config: { ...building.config, agents } };
    expect(statusText(telling, { holder: 'pid 7' })).toMatch(/\nLeft: \d+ sessions, at most \$\d+\.\d\d, /);
    expect(live).toContain('\nTime: 4m elapsed');
    expect(costLine(building.ledger)).toBe('unknown so far');
    const again = run([...firstAttempt, ...session('0005-builder-main', 'builder', 't2').slice(0, 1)]);
    expect(statusText(again, { holder: 'pid 7' })).toContain(
      '\nSpent: 2 sessions (1 under way), at least $0.25',
    );
  });

  it('A session whose driver was killed is cut off: its cost and its time are unknown [X1]', () => {
    const killed = statusText(run(firstAttempt.slice(0, -1)), { holder: null });
    expect(killed).toContain('\nRan: builder_001 mine (big) (cut off)\n');
    expect(killed).toMatch(/\nSpent: 1 session \(1 cut off\), cost unknown so far, at least \d+m of work\n/);
    expect(killed).toMatch(/\nLeft: \d+ sessions, USD unknown, /);
    expect(killed).toMatch(/^📊 Run r1 \(builder-verifier\): interrupted\n/);
    const shown = summaryText(run(firstAttempt.slice(0, -1)), { logsDir: '', holder: null });
    expect(shown).toMatch(/^⏸️ {2}Interrupted\n/);
    expect(shown).toContain('\nSpent: 1 session (1 cut off), ');
    expect(shown).toContain('builder_001 mine (big) (cut off)');
    expect(killed).toMatch(/\nTime: at least \d+m elapsed/);
  });

  it('Status says when an unfinished run has no driver, and how to continue', () => {
    expect(statusText(run(green), { holder: null })).toContain(
      'Driver: none; continue with `untildone resume`',
    );
  });

  it('A run whose driver was killed is called interrupted, with the stage it was in [D5]', () => {
    const building = run(firstAttempt.slice(0, -1));
    const killed = statusText(building, { holder: null });
    expect(killed).toContain('\nStatus: interrupted; last stage: builder at work (attempt 1)\n');
    expect(stateJson(building, { holder: null })).toMatchObject({
      status: 'interrupted',
      stage: 'interrupted; last stage: builder at work (attempt 1)',
    });
    const held = statusText(building, { holder: 'pid 7' });
    expect(held).toContain('\nStatus: builder at work (attempt 1)\n');
    expect(stateJson(building)).toMatchObject({ status: 'running', stage: 'builder at work (attempt 1)' });
    const ended = statusText(run(completed), { holder: null });
    expect(ended).toContain('\nEnded: completed (');
    expect(ended).not.toContain('\nStatus: ');
    expect(stateJson(run(completed), { holder: null }).status).toBe('completed');
  });

  it('A parked run and an interactive session need no driver, so neither is called interrupted [D5]', () => {
    const pause = { kind: 'pause', why: 'lunch' } as const;
    const parked = run([
      ...green,
      { type: 'control-received', id: 'c', by: 'me', control: pause },
      { type: 'control-applied', id: 'c' },
    ]);
    expect(statusText(parked, { holder: null })).toContain('\nStatus: paused: lunch\n');
    const foreign = { client: 'claude', sessionId: 's' };
    const attached = run(
      firstAttempt
        .slice(0, -1)
        .map((fact) => (fact.type === 'run-created' ? { ...fact, config: { ...config, foreign } } : fact)),
    );
    expect(statusText(attached, { holder: null })).toContain('\nStatus: builder at work (attempt 1)\n');
    expect(listText([{ run: attached, holder: null }])).toContain('  running  ');
  });

  it('The statistics count loops and iterations [K12]', () => {
    const text = statsText(statsOf([run(completed), run(exhausted), run(begin())]));
    expect(text.split('\n').slice(0, 7)).toEqual([
      '📈 Loop Statistics',
      'Total loops: 3',
      'Completed: 1',
      'Failed: 0',
      'Exhausted: 1',
      'Unfinished: 1',
      'Avg iterations: 1.0',
    ]);
  });
});

describe('The summary', () => {
  const place = { logsDir: '/logs' };

  it('The summary says what was proven and how, what was spent, where it is and what to do next', () => {
    expect(summaryText(run(completed), place)).toBe(
      [
        '✅ Completed: every required criterion passed on a clean checkout',
        '',
        'Checks:',
        '  ✅ npm-test: `npm test` red on the base → green now, on a clean checkout of commit c1c1c1c1c1',
        '  ✅ verifier: passed by the verifier, an agent that did not do the work (exit 0)',
        'Proof: checks (a required check was red before the work and is green now)',
        '',
        'Spent: 2 sessions, $0.50, 24k tokens, 17m of work',
        'Ran: builder_001 mine (command), model big · verifier_001 mine (command), model big',
        'Branch: untildone/r1, 1 commit: c1c1c1c1c1',
        'Logs: /logs',
        'Next: review it with `git diff c0c0c0c0c0 untildone/r1`, then land it: untildone land r1',
        "Unprotected: the agents ran with your rights and could have changed Untildone's state.",
      ].join('\n'),
    );
  });

  it('The summary does not repeat the sandbox note of the first lines', () => {
    const sandbox = {
      kind: 'bubblewrap' as const,
      isRequired: true,
      why: '',
      allowRead: [],
      denyRead: [],
      allowWrite: [],
      allowHosts: [],
    };
    const shut = completed.map((fact) =>
      fact.type === 'run-created' ? { ...fact, config: { ...config, sandbox } } : fact,
    );
    const text = summaryText(run(shut), place);
    expect(text).not.toMatch(/[Ss]andbox|bubblewrap|Unprotected/);
    expect(text.split('\n').at(-1)).toMatch(/^Next: /);
  });

  it('The summary of a run whose folder is removed names no log and no command for it', () => {
    const text = summaryText(run(completed), { ...place, isTemporary: true });
    expect(text).not.toMatch(/^(?:Logs|Next): /m);
    expect(text).not.toContain('untildone land');
    // A failed one is kept, for its logs.
    const kept = summaryText(run(exhausted), { ...place, isTemporary: true });
    expect(kept).toContain('\nLogs: /logs');
    expect(kept).not.toMatch(/^Next: /m);
  });

  it('Lines of sessions name the session and not its log', () => {
    const text = historyText(life(completed));
    expect(text).toContain('  builder_001 (command, model big) finished; it said done\n');
    expect(text).not.toContain('.jsonl');
  });

  it('The summary does not suggest merging a branch into itself after work in place', () => {
    const inPlace = completed.map((fact) =>
      fact.type === 'run-created'
        ? { ...fact, config: { ...config, repo: { ...config.repo, inPlace: true } } }
        : fact,
    );
    expect(summaryText(run(inPlace), place)).toContain(
      'then go back to the branch you were on (git switch BRANCH) and land it: untildone land r1\n',
    );
  });

  it('The summary says plainly when only an agent has reviewed the work [B5]', () => {
    const only = run([
      ...begin([verifier] as never),
      ...session('0003-builder-main', 'builder', 't1'),
      seen('verifier', 'attempt', 'pass', 't1'),
    ]);
    expect(summaryText(only, place)).toContain('Only an agent has reviewed this work');
  });

  it('The summary lists the open items when the limit is reached [B14]', () => {
    const text = summaryText(run(exhausted), place);
    expect(text).toContain('⛔ Exhausted: the only attempt was used');
    expect(text).toContain('  ❌ npm-test: `npm test` red on the base → fail (exit 1)\n');
    expect(text.split('exit 1')).toHaveLength(2);
    expect(text).not.toContain('.log');
    expect(text).toContain('      - none of it works');
    expect(openReport(run(completed))).toBeNull();
  });

  it('The headline of a failed run has the words of the failed check, and nothing repeats them', () => {
    const reason = 'the only attempt was used; the last one: npm-test: exit 1';
    const printed = exhausted.map((fact): Fact => {
      if (fact.type === 'run-ended') return { ...fact, reason };
      if (fact.type !== 'evidence-recorded') return fact;
      return { ...fact, evidence: { ...fact.evidence, tail: 'ok 1\nAssertionError: 2 == 3\ntotal 2' } };
    });
    const text = summaryText(run(printed), place);
    expect(text).toMatch(/^⛔ Exhausted: .*npm-test: exit 1: AssertionError: 2 == 3\n/);
    expect(text.split('AssertionError')).toHaveLength(2);
    expect(text).not.toContain('Last attempt');
    const status = statusText(run(printed), { holder: null });
    expect(status).toContain(`\nEnded: exhausted (${reason}: AssertionError: 2 == 3)\n`);
    expect(status).not.toMatch(/Can exit|Active/);
    // What was recorded stays as it is.
    expect(run(printed).outcome?.reason).toBe(reason);
    const heldOut = { ...npmTest, check: { kind: 'held-out', name: 'h' } } as unknown as typeof npmTest;
    const hidden = printed.map((fact) =>
      fact.type === 'task-added' ? { ...fact, task: { ...task, criteria: [heldOut, verifier] } } : fact,
    );
    expect(summaryText(run(hidden), place)).not.toContain('AssertionError');
    expect(statusText(run(hidden), { holder: null })).not.toContain('AssertionError');
  });

  it('A summary names the place of unproven work only where there is some', () => {
    const ended: Fact = { type: 'run-ended', outcome: 'exhausted', reason: 'r' };
    const idle = [...begin(), ...session('0003-builder-main', 'builder', 't0'), ended];
    expect(summaryText(run(idle), place)).toContain('\nBranch: untildone/r1, nothing committed\n');
    expect(summaryText(run(exhausted), place)).toContain('(unproven work stays under refs/untildone/r1/)');
    const cleaned: Fact = { type: 'run-cleaned', by: 'ann', kept: ['journal'], removedBytes: 12 };
    const after = summaryText(run([...exhausted, cleaned]), { ...place, isBranchGone: true });
    expect(after).toContain('(`untildone clean` removed the unproven work) (the branch was removed)\n');
    expect(after).toContain('Next: nothing: the run was cleaned\n');
  });

  it('The summary mentions the last attempt only if the list above lacks its reason', () => {
    expect(openReport(run(exhausted))).not.toContain('Last attempt:');
    const other = exhausted.map((fact) =>
      fact.type === 'attempt-failed'
        ? { ...fact, reason: 'the builder fell silent; npm-test: exit 1' }
        : fact,
    );
    expect(openReport(run(other))).toContain('Last attempt: the builder fell silent; npm-test: exit 1');
  });

  it('The summary says once that a reviewer passed the work', () => {
    const passed = completed.map((fact) =>
      fact.type === 'evidence-recorded' && fact.evidence.criterionId === 'verifier'
        ? { ...fact, evidence: { ...fact.evidence, reason: 'the verifier passed it' } }
        : fact,
    );
    expect(summaryText(run(passed), place)).toContain(
      '  ✅ verifier: passed by the verifier, an agent that did not do the work\n',
    );
  });

  it('The summary never shows an unreported cost as zero [X1]', () => {
    const untold = [
      ...begin(),
      ...session('0003-builder-main', 'builder', 't1', { usage: { usd: null, tokens: null } }),
    ];
    expect(summaryText(run(untold), place)).toContain(
      'Spent: 1 session, cost unknown (the agent does not report it)',
    );
  });
});

describe('A run that failed on the clean checkout', () => {
  const text = summaryText(run(rejected), { logsDir: '/logs' });

  it('The summary shows the result of the clean checkout, not the earlier one of the workspace [X10]', () => {
    expect(text).toContain(
      '  ❌ npm-test: `npm test` red on the base → fail on a clean checkout of commit c1c1c1c1c1 (exit 1)',
    );
    expect(text.split('exit 1')).toHaveLength(2);
    expect(text).not.toContain('Still open');
    expect(statusText(run(rejected), { holder: null })).toContain(
      '  ❌ npm-test: `npm test` passes (on a clean checkout: exit 1)',
    );
  });

  it('A refused commit is labelled as not accepted, also if the reason is a touched file and no check [X10]', () => {
    expect(text).toContain('Branch: untildone/r1, 1 commit, not accepted: c1c1c1c1c1');
    const pins = rejected.map((fact) =>
      fact.type === 'evidence-recorded' && fact.evidence.purpose === 'acceptance'
        ? seen('npm-test', 'acceptance', 'pass', 't1')
        : fact,
    );
    expect(summaryText(run(pins), { logsDir: '' })).toContain(
      '❌ commit c1c1c1c1c1 was not accepted (on a clean checkout: npm-test: exit 1)',
    );
    expect(progressBlock(run(pins))).toContain('Progress: [2 of 2] ▰▰▰▰▰▰▰▰▰▱ 99%');
  });

  it('New work after a refused commit is judged by its own checks', () => {
    const again = [...acceptedNot, ...session('0007-builder-main', 'builder', 't2')];
    expect(completedSteps(run(again))).toEqual({ done: 0, all: 2 });
    const fixed = [...again, seen('npm-test', 'attempt', 'pass', 't2')];
    expect(completedSteps(run(fixed))).toEqual({ done: 1, all: 2 });
  });

  it('A run without criteria has no share of progress', () => {
    expect(progressBlock(run(firstAttempt.slice(0, 1)))).toMatch(/^Progress: no task yet\n/);
  });

  it('A failed run does not cool down, and never shows 100 % [Q9]', () => {
    expect(progressBlock(run(acceptedNot))).toContain('Status: cooling down');
    const policy = { ...config.policy, cooldownMs: 0 };
    const hot = acceptedNot.map((fact) =>
      fact.type === 'run-created' ? { ...fact, config: { ...config, policy } } : fact,
    );
    expect(progressBlock(run(hot))).toContain('Status: between attempts\n');
    expect(progressBlock(run(givenUp))).toContain('Status: failed: the only attempt was used');
    expect(progressBlock(run(rejected))).not.toContain('100%');
  });
});

describe('Words for missing values', () => {
  const moved = (action: string, keptAs: string, ref = 'refs/heads/other'): Fact => ({
    type: 'ref-restored',
    stepId: 's',
    ref,
    action,
    keptAs,
  });

  it('The history says that a ref was left unchanged, and names a kept copy only if there is one', () => {
    const config = moved('left', '', 'config branch.main.remote');
    const lines = historyText(
      life([moved('left', ''), config, moved('restored', ''), moved('restored', 'x')]),
    );
    expect(lines.split('\n').map((line) => line.slice(24))).toEqual([
      'refs/heads/other was moved during the run; left unchanged',
      'config branch.main.remote was changed during the run; left unchanged',
      'refs/heads/other restored',
      'refs/heads/other restored; the previous content is kept as x',
    ]);
  });

  it('An incomplete cost that rounds to zero is shown as unknown [X1]', () => {
    const ledger = run(begin()).ledger;
    const untold = { ...ledger, usdIsComplete: false, spent: { ...ledger.spent, usd: 0.0001 } };
    expect(costLine(untold)).toBe('unknown (the agent does not report it)');
    expect(costLine({ ...untold, spent: { sessions: 1, usd: 0.5, tokens: 1500 } })).toBe(
      'at least $0.50, 1.5k tokens',
    );
  });

  it('With an unknown cost, the remaining money is unknown too, in status and statistics [X1]', () => {
    const untold = run([
      ...begin(),
      ...session('0003-builder-main', 'builder', 't1', { usage: { usd: null, tokens: null } }),
    ]);
    expect(budgetLeft(untold)).toMatch(/^\d+ sessions, USD unknown, /);
    expect(statsText(statsOf([untold]))).toContain('Cost: unknown (the agent does not report it)\n');
    expect([statsOf([untold]).usd, stateJson(untold).spent.usd]).toEqual([null, null]);
    const order = { subject: { commit: 'c', tree: 't' }, landedOnto: null, version: '1' };
    const statement = statementOf(untold, { ...order, configDigest: '', criteriaDigest: '' });
    expect(statement.predicate.untildone.cost).toMatchObject({ usd: null, usdIsComplete: false });
    expect([statsOf([]).usd, stateJson(run(begin())).spent.usd]).toEqual([0, 0]);
    const partly = run([
      ...firstAttempt,
      ...session('0004-builder-main', 'builder', 't2', { usage: { usd: null, tokens: null } }),
    ]);
    expect(budgetLeft(partly)).toMatch(/^\d+ sessions, at most \$19\.75, /);
    expect(statsText(statsOf([partly, untold]))).toContain('Cost: at least $0.25, 12k tokens\n');
    expect(budgetLeft(run(begin()))).toContain(', $20.00, ');
    expect(statsText(statsOf([]))).toContain('Cost: $0.00\n');
  });

  it('Money reserved for a session that was cut off is not a known cost in the statistics [X1]', () => {
    const [begun] = session('0003-builder-main', 'builder', 't1');
    const reserve = { sessions: 1, usd: 2.5, tokens: 1000 };
    const cut = run([
      ...begin(),
      begun?.type === 'step-started' ? started({ ...begun.step, reserve }) : (begun as Fact),
      { type: 'step-lost', stepId: '0003-builder-main', reason: 'killed', usage: null },
    ]);
    expect(statsText(statsOf([cut]))).toContain(
      'Cost: unknown, and $2.50 and 1k tokens reserved for 1 session that was cut off\n',
    );
    expect(budgetLeft(cut)).toContain(', $17.50, ');
  });
});

describe('Files and lists', () => {
  it('The file state.json has the documented names [D3]', () => {
    const state = stateJson(run(green));
    expect(state).toMatchObject({
      taskId: 'main',
      taskType: 'builder-verifier',
      startedAt: '2026-11-15T20:00:00.000Z',
      steps: [
        { id: 'npm-test', status: 'completed', attempts: 1 },
        { id: 'verifier', status: 'in_progress', attempts: 0 },
      ],
      execution: { currentStep: 1, totalIterations: 1, totalRetries: 0 },
      errors: [],
      spent: { sessions: 1, usd: 0.25 },
      branch: 'untildone/r1',
      protected: false,
    });
    expect(state.agents[0]).toEqual({
      role: 'builder',
      name: 'mine',
      model: 'big',
      driver: 'command',
      payer: null,
      tasks: {},
      ran: { driver: 'command', model: 'big' },
      sessions: 1,
    });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('The master log has one line per session [B9]', () => {
    const events = life(completed);
    const lines = events.flatMap((event) => masterLogLine(run(completed), event) ?? []);
    expect(lines).toEqual([
      '2026-11-15T20:07:00.000Z builder_001 error=none done=yes log=builder_001_2026-11-15_20-05-00.jsonl',
      '2026-11-15T20:10:00.000Z verifier_001 error=none verified=yes log=verifier_001_2026-11-15_20-05-00.jsonl',
      '2026-11-15T20:19:00.000Z run r1 completed: every required criterion passed on a clean checkout',
    ]);
    const [, crashed] = session('s', 'builder', 't', {
      ending: { kind: 'crashed', detail: 'a\nb' },
      signal: null,
    });
    expect(masterLogLine(run(completed), { at: start, ...(crashed as Fact) })).toContain(
      'builder_001 error="crashed: a b" done=no',
    );
  });

  it('The list distinguishes a parked run from one whose driver died [D5]', () => {
    const paused = [
      ...green,
      { type: 'control-received', id: 'c', by: 'me', control: { kind: 'pause', why: 'lunch' } },
      { type: 'control-applied', id: 'c' },
    ] as Fact[];
    const text = listText([
      { run: run(green), holder: null },
      { run: run(green), holder: 'pid 7' },
      { run: run(paused), holder: null },
    ]);
    expect(text.split('\n').map((line) => line.split(/ {2,}/)[1])).toEqual([
      'STATE',
      'interrupted',
      'running',
      'parked',
    ]);
  });

  it('The history numbers the facts of a run and describes each in one line', () => {
    const lines = historyText(life(completed)).split('\n');
    expect(lines).toHaveLength(completed.length);
    expect(lines[5]).toBe(' 6  2026-11-15 20:05:00  npm-test: fail on the base (exit 1)');
  });

  it('The history says once that a check reached its time limit', () => {
    const late = seen('npm-test', 'attempt', 'fail', 't1');
    if (late.type !== 'evidence-recorded') throw new Error('it is evidence');
    const ending = { kind: 'timed-out', limit: 'wall', afterMs: 3000 } as const;
    const evidence = { ...late.evidence, ending, reason: 'timed out after 3 s' };
    expect(historyText(life([{ ...late, evidence }]))).toMatch(/ {2}npm-test: fail \(timed out after 3 s\)$/);
  });

  it('The history describes a failed check by its own words', () => {
    const excerpt =
      '1 failing test (the whole output: x.log)\n\nnot ok 1 - adds\n  AssertionError: 3 is not 4';
    const facts = completed.map((fact) =>
      fact.type === 'evidence-recorded' && fact.evidence.verdict === 'fail'
        ? { ...fact, evidence: { ...fact.evidence, excerpt } }
        : fact,
    );
    expect(historyText(life(facts)).split('\n')[5]).toBe(
      ' 6  2026-11-15 20:05:00  npm-test: fail on the base (exit 1): 1 failing test: not ok 1 - adds: AssertionError: 3 is not 4',
    );
  });

  it('A run that is refused before its first session says why in a few lines', () => {
    const reason = 'the check npm-test cannot pass here: there is no program "nmp" on PATH';
    const refused: Fact = { type: 'run-ended', outcome: 'blocked', reason, refused: 'preflight' };
    expect(summaryText(run([...begin(), refused]), { logsDir: '/logs' })).toBe(
      [
        `✗ Not started: ${reason}. No session was started.`,
        'Logs: /logs',
        'Next: correct that and run the same command again. --setup "…" names a command that installs what is missing.',
        '      If the work itself brings it: untildone retry main --run r1',
      ].join('\n'),
    );
  });

  it('The history says why a check was not repeated, without the id of a step', () => {
    const again = seen('npm-test', 'attempt', 'pass', 't1');
    if (again.type !== 'evidence-recorded') throw new Error('it is evidence');
    const evidence = { ...again.evidence, reusedFrom: '0004-check-attempt-main' };
    expect(historyText(life([{ ...again, evidence }]))).toMatch(
      / {2}npm-test: pass \(exit 0; not run again: nothing has changed\)$/,
    );
  });

  it('Durations and token counts are shown in a readable form', () => {
    expect([0, 59_999, 60_000, 900_000, 7_500_000].map(elapsed)).toEqual([
      '0s',
      '59s',
      '1m',
      '15m',
      '2h 05m',
    ]);
    expect([12, 1500, 20_000_000].map(tokens)).toEqual(['12', '1.5k', '20M']);
  });
});

describe('The payer', () => {
  const paid = (kind: Payer['kind'], name: string): Run =>
    replay(
      life(
        completed.map((fact) =>
          fact.type === 'run-created'
            ? {
                ...fact,
                config: {
                  ...config,
                  agents: { mine: { driver: 'claude', env: [], options: {}, payer: { kind, name } } },
                },
              }
            : fact,
        ),
      ),
    );

  it('The USD of a subscription are labelled as list prices, in status and summary [X1]', () => {
    const run = paid('subscription', 'your Claude subscription');
    const status = statusText(run, { holder: null });
    expect(status).toContain('Paid by: your Claude subscription; USD shown are list prices\n');
    expect(status).toContain('$0.50 at list prices (a subscription pays), ');
    expect(status).toMatch(/Left: .*\$19\.50 at list prices, /);
    expect(summaryText(run, { logsDir: '' })).toContain('$0.50 at list prices (a subscription pays), ');
  });

  it('A payer by key names its variable, and its USD are called a cost [X1]', () => {
    const run = paid('key', 'ANTHROPIC_API_KEY');
    expect(statusText(run, { holder: null })).toContain('Paid by: the key in ANTHROPIC_API_KEY\n');
    expect(summaryText(run, { logsDir: '' })).not.toContain('list price');
  });

  it('A run without a recorded payer shows it as unknown', () => {
    expect(payerWords(undefined)).toBe("the agent's own login (unknown)");
    expect(payerWords({ kind: 'unknown', name: "the agent's own login" })).toBe(
      "the agent's own login (unknown)",
    );
    expect(payerWords({ kind: 'unknown', name: 'KEY is not set' })).toBe('unknown: KEY is not set');
    expect(paidWords({ kind: 'nobody', name: 'a local model' })).toBe('free (a local model)');
    expect(paidWords({ kind: 'key', name: 'KEY' })).toBe('paid by the key in KEY');
    expect(payerWords({ kind: 'account', name: 'your AWS account' })).toBe('your AWS account');
  });
});
