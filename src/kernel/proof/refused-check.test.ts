// A check that its calibration refused: one builder gets the reason, then a person decides.
import { expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Step } from '#kernel/model/step.ts';
import type { KnownCheck, PlayedRun } from '#test/simulated/simulated-run.ts';
import { commandCriterion, playRun, simulatedBudget, simulatedTask } from '#test/simulated/simulated-run.ts';

const refusal: Calibration = {
  kind: 'planted-failure',
  verdict: 'refused',
  reason: 'a failing test in a.test.js does not fail the check',
  runs: 1,
  durationMs: 1,
  logs: [],
};

function start(config: Partial<RunConfig> = {}): PlayedRun {
  const tasks = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
  const played = playRun({ tasks, config: { acceptReview: false, ...config } });
  played.prepare();
  return played;
}

/** Plays until the acceptance is due, and returns that step; null if the run waits or ends before. */
function untilAcceptance(played: PlayedRun): Step | null {
  for (let rounds = 0; rounds < 30; rounds += 1) {
    const [step] = played.begin();
    if (step === undefined) return null;
    const { deed } = step;
    if (deed.kind === 'check' && deed.purpose === 'acceptance') return step;
    if (deed.kind === 'check') played.endCheck(step, { works: deed.purpose === 'base' ? 'fail' : 'pass' });
    else if (deed.kind === 'commit') played.endCommit(step, `c-${step.stepId}`);
    else played.endSession(step, { endTree: `work-${step.stepId}` });
  }
  return null;
}

function refuse(played: PlayedRun, known: KnownCheck = { calibration: [refusal] }): void {
  const step = untilAcceptance(played);
  if (step === null) throw new Error('no acceptance is due');
  played.endCheck(step, { works: 'unknown' }, { reason: refusal.reason, ...known });
}

function sessions({ run }: PlayedRun): number {
  return run.sessions.length;
}

it('The sentence of a refused check loses its full stop inside another sentence', () => {
  const played = start();
  refuse(played, { reason: 'It proves nothing.', calibration: [refusal] });
  played.settle();
  expect(played.run.tasks.get('main')?.failures.last?.reason).toBe(
    'on a clean checkout: works: It proves nothing',
  );
});

it('A refused held-out check gives the builder a way to pass it but not its name; then a person decides [K7]', () => {
  const check = { kind: 'held-out', hash: 'h' } as const;
  const criteria = [commandCriterion('works'), commandCriterion('secret', { check, when: 'acceptance' })];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  const reason = 'secret.json turned green without a change of product code.';
  const calibration = [{ ...refusal, kind: 'attribution' as const, reason }];
  const refuseSecret = (): void => {
    const step = untilAcceptance(played);
    if (step === null) throw new Error('no acceptance is due');
    played.endCheck(step, { works: 'pass', secret: 'unknown' }, { reason, calibration });
  };
  refuseSecret();
  const again = played.beginOne();
  const prompt = again.deed.kind === 'session' ? again.deed.prompt : '';
  expect(prompt).toContain('a held-out check passes because of changed tests, fixtures, scripts or settings');
  expect(prompt).not.toContain('a held-out check did not pass');
  expect(prompt).not.toContain('secret');
  played.endSession(again, { endTree: 'again' });
  refuseSecret();
  expect(played.settle().waitingFor).toContain("a person's verdict on secret");
  const tree = played.run.tip?.tree ?? '';
  played.ask({ kind: 'approve', taskId: 'main', criterionId: 'secret', tree });
  played.settle();
  expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
});

it('A refused check reopens its task once, and the builder gets the sentence [X3]', () => {
  const played = start();
  refuse(played, { calibration: [refusal], tail: 'all 3 tests pass' });
  const step = played.beginOne();
  expect(step.deed).toMatchObject({ kind: 'session', role: 'builder' });
  const prompt = step.deed.kind === 'session' ? step.deed.prompt : '';
  expect(prompt).toContain(`passed, and that does not count: ${refusal.reason}`);
  expect(prompt).not.toContain('all 3 tests pass');
});

it('A check that is refused again waits for a person, and costs no further session [X3]', () => {
  const played = start();
  refuse(played);
  refuse(played);
  expect(sessions(played)).toBe(2);
  const { start: started, waitingFor } = played.settle();
  expect(started).toEqual([]);
  expect(waitingFor).toContain(refusal.reason);
  expect(played.run.outcome).toBeNull();
});

it.each([
  ['no attempt is left', { budget: simulatedBudget({ attemptsPerTask: 1 }) }],
  ['no session is left', { budget: simulatedBudget({ sessions: 1 }) }],
  ['no money is left', { budget: simulatedBudget({ usd: 1 }) }],
])('A refused check waits for a person at once where %s: the work is not lost [X3]', (_, config) => {
  const played = start(config);
  refuse(played);
  expect(played.settle().waitingFor).toContain(refusal.reason);
  expect(played.run.tasks.get('main')?.status.is).toBe('landed');
});

it('A refused check waits for a person where the time is used up, and a verdict still ends the run [X3]', () => {
  const played = start({ budget: simulatedBudget({ activeMs: 1000 }) });
  const step = untilAcceptance(played);
  if (step === null) throw new Error('no acceptance is due');
  played.pass(900);
  played.endCheck(step, { works: 'unknown' }, { reason: refusal.reason, calibration: [refusal] });
  played.pass(200);
  expect(played.settle().waitingFor).toContain(refusal.reason);
  decide(played, 'approve');
  played.settle();
  expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
});

it('A refusal that no builder can answer is asked of a person at once [X3]', () => {
  const played = start();
  refuse(played, { calibration: [{ ...refusal, kind: 'attribution', asks: 'person' }] });
  expect(played.settle().waitingFor).toContain(refusal.reason);
  expect(sessions(played)).toBe(1);
});

it('A check that is green when it runs on the base again is flaky, and a person decides [X3]', () => {
  const played = start();
  const recheck = { ...refusal, kind: 'base-recheck' as const };
  refuse(played, { calibration: [recheck], flaky: { passed: 1, failed: 1, isAccepted: false } });
  expect(played.settle().waitingFor).toContain(refusal.reason);
});

it('A person who approves a refused check completes the run, and the proof is that person [X3]', () => {
  const played = start();
  refuse(played);
  refuse(played);
  decide(played, 'approve');
  played.settle();
  expect(played.run.outcome).toMatchObject({
    outcome: 'completed',
    proof: 'person',
    reason: expect.stringContaining('passed on a clean checkout, except what a person approved: ') as string,
  });
});

it('A person who rejects a refused check sends it to a builder with their reason', () => {
  const played = start();
  refuse(played);
  refuse(played);
  decide(played, 'reject');
  expect(played.beginOne().deed).toMatchObject({ kind: 'session', role: 'builder' });
  expect(played.run.tasks.get('main')?.failures.last?.reason).toContain('it prints nothing');
});

it('An approval from before a refusal does not cover that refusal [X3]', () => {
  const played = start();
  const step = untilAcceptance(played);
  const task = played.run.tasks.get('main');
  const seen = task?.evidence.get('works')?.attempt;
  if (step === null || task === undefined || seen === undefined) throw new Error('it was checked');
  played.record({
    type: 'evidence-recorded',
    evidence: { ...seen, stepId: 'person', tree: step.baseTree ?? '' },
  });
  played.endCheck(step, { works: 'unknown' }, { reason: refusal.reason, calibration: [refusal] });
  expect(played.beginOne().deed).toMatchObject({ kind: 'session', role: 'builder' });
});

function decide(played: PlayedRun, kind: 'approve' | 'reject'): void {
  const tree = played.run.tip?.tree ?? '';
  played.ask({ kind, taskId: 'main', criterionId: 'works', tree, why: 'it prints nothing' });
}
