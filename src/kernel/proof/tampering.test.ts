import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import { readEvent } from '#kernel/events/event-schema.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { Step } from '#kernel/model/step.ts';
import { tamperLedger } from '#views/report/tamper-ledger.ts';
import { isAcceptedByReviewer } from './tampering.ts';
import type { Tampering } from '#kernel/events/tampering-facts.ts';

const pin: BrokenPin = {
  path: 'a.test.js',
  change: 'changed',
  why: 'a test that was there at the start',
  content: '100644 abc',
  weakening: ['skips tests'],
};

function tampering(more: Partial<Tampering> = {}): Tampering {
  const { path, change, why, content = '', weakening = [] } = pin;
  const where = { stepId: '0003-check-attempt-main', tree: 'work', taskId: 'main', session: 'builder_001' };
  return { path, change, why, content, weakening, ...where, isAllowed: false, ...more };
}

function playing(config: Partial<RunConfig> = {}, criteria = [commandCriterion('works')]): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

/** Ends a check that is green, except for the changed pin. */
function endTampered(played: PlayedRun, step: Step, pins: readonly BrokenPin[] = [pin]): void {
  const { stepId, baseTree } = step;
  played.record(
    {
      type: 'evidence-recorded',
      evidence: simulatedEvidence({ criterionId: 'works', stepId, tree: baseTree ?? '' }),
    },
    { type: 'tampering-seen', tampering: tampering({ stepId, tree: baseTree ?? '' }) },
    { type: 'step-ended', stepId, result: { kind: 'check', treeAfter: baseTree ?? '', brokenPins: pins } },
  );
}

function tampered(config: Partial<RunConfig> = {}, criteria = [commandCriterion('works')]): PlayedRun {
  const played = playing(config, criteria);
  played.endSession(played.beginOne(), { endTree: 'work' });
  endTampered(played, played.beginOne());
  return played;
}

const accept = (content: string) =>
  ({ kind: 'accept', path: pin.path, content, why: 'the old test was wrong' }) as const;

describe('the tamper ledger', () => {
  it('An attempt that changed a pinned file is red, and the ledger says which file and how [X8]', () => {
    const played = tampered();
    expect(played.settle().start[0]?.deed).toMatchObject({ role: 'builder', attempt: 2 });
    expect(played.run.tasks.get('main')?.failures.last?.reason).toContain(
      'a.test.js was changed (it skips tests)',
    );
    expect(tamperLedger(played.run)).toMatchObject([
      { path: 'a.test.js', state: 'open', session: 'builder_001' },
    ]);
  });

  it('A person’s acceptance of a change covers this content: the attempt continues without another session [X8]', () => {
    const played = tampered();
    played.settle();
    played.ask(accept('100644 abc'));
    expect(played.beginOne()).toMatchObject({ baseTree: 'work', deed: { kind: 'commit' } });
    expect(tamperLedger(played.run)).toMatchObject([
      { state: 'accepted', by: 'ann', reason: 'the old test was wrong' },
    ]);
  });

  it.each([
    ['100644 other', 'a.test.js has changed since; look at it again'],
    ['', 'a.test.js has changed since; look at it again'],
  ])('An acceptance of any other content is refused: %j [X8]', (content, reason) => {
    const played = tampered();
    played.settle();
    const id = played.ask(accept(content));
    expect(played.settle().start[0]?.deed).toMatchObject({ role: 'builder' });
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'control-refused', id, reason }));
  });

  it('An acceptance of an unchanged or settled file is refused [X8]', () => {
    const clean = playing();
    const first = clean.ask(accept('x'));
    clean.settle();
    expect(clean.run.controls.get(first)).toBe('refused');
    const played = tampered();
    played.settle();
    played.record({ type: 'tampering-righted', path: pin.path, by: 'builder_002', tree: 'later' });
    const id = played.ask(accept('100644 abc'));
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
    expect(tamperLedger(played.run)).toMatchObject([{ state: 'put right', by: 'builder_002' }]);
  });

  it('An acceptance covers only its content: after another change, the attempt is red again [X8]', () => {
    const played = tampered();
    played.settle();
    const builder = played.beginOne();
    played.ask(accept('100644 abc'));
    played.settle();
    played.endSession(builder, { endTree: 'worse' });
    endTampered(played, played.beginOne(), [{ ...pin, content: '100644 worse' }]);
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 3 });
  });

  it('A reviewer can accept a change only where the policy allows it [X8]', () => {
    const both = [commandCriterion('works'), reviewerCriterion];
    const strict = tampered({}, both);
    expect(strict.beginOne().deed).toMatchObject({ role: 'builder' });
    const played = tampered({ tamper: { acceptedBy: 'reviewer' } }, both);
    const verifier = played.beginOne();
    expect(verifier.deed).toMatchObject({ role: 'verifier' });
    played.endSession(verifier, {});
    expect(played.beginOne().deed).toMatchObject({ kind: 'commit' });
    expect(tamperLedger(played.run)).toMatchObject([{ state: 'accepted', by: 'verifier_001' }]);
  });

  it('A reviewer can accept tests added to a file if the checks pass with the original file [X8]', () => {
    const both = [commandCriterion('works'), reviewerCriterion];
    const grown: BrokenPin = {
      path: pin.path,
      change: 'changed',
      why: pin.why,
      content: '100644 abc',
      keepsLines: true,
    };
    const next = (pinned: 'pass' | 'fail' | null, changed: BrokenPin, criteria = both): PlayedRun => {
      const played = playing({}, criteria);
      played.endSession(played.beginOne(), { endTree: 'work' });
      const step = played.beginOne();
      const evidence = { criterionId: 'works', stepId: step.stepId, tree: 'work without the change' };
      if (pinned !== null)
        played.record({
          type: 'evidence-recorded',
          evidence: simulatedEvidence({ ...evidence, purpose: 'pinned', verdict: pinned }),
        });
      endTampered(played, step, [changed]);
      return played;
    };
    const played = next('pass', grown);
    const verifier = played.beginOne();
    expect(verifier.deed).toMatchObject({ role: 'verifier' });
    played.endSession(verifier, {});
    expect(played.beginOne().deed).toMatchObject({ kind: 'commit' });
    expect(tamperLedger(played.run)).toMatchObject([{ state: 'accepted', by: 'verifier_001' }]);
    const [entry] = played.run.tampering;
    expect(entry !== undefined && isAcceptedByReviewer(played.run, entry)).toBe(true);
    for (const other of [
      next('fail', grown),
      next(null, grown),
      next('pass', pin),
      next('pass', grown, [commandCriterion('works')]),
    ]) {
      expect(
        other.settle().start.map(({ deed }) => (deed.kind === 'session' ? deed.role : deed.kind)),
      ).not.toContain('verifier');
      expect(other.run.tampering[0]?.state).toBe('open');
    }
  });

  it('A person decides about a change if there is no reviewer, whatever the policy says [X8]', () => {
    const played = tampered({ tamper: { acceptedBy: 'reviewer' } });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('The ledger keeps that settings and refs were restored, and leaves out the run’s own branch [X8]', () => {
    const played = playing();
    const { stepId } = played.beginOne();
    const ref = (name: string, action: string) =>
      ({ type: 'ref-restored', stepId, ref: name, action, keptAs: 'kept' }) as const;
    played.record(ref('.git/config', 'restored'), ref('refs/heads/main', 'restored'));
    played.record(ref('refs/heads/untildone/run', 'moved-back'), ref('refs/heads/new', 'left'));
    expect(tamperLedger(played.run)).toMatchObject([
      { path: '.git/config', state: 'put right', session: 'builder_001', taskId: 'main' },
      { path: 'refs/heads/main', state: 'put right' },
    ]);
  });

  it('The ledger is the same when it is read back from the journal [X8]', () => {
    const played = tampered();
    played.settle();
    played.ask(accept('100644 abc'));
    played.settle();
    const lines = played.events.map((event) => JSON.stringify(event));
    const again = replay(lines.map((line) => readEvent(JSON.parse(line), eventVersion)));
    expect(tamperLedger(again)).toEqual(tamperLedger(played.run));
  });
});
