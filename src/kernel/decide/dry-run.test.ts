// A dry run never asks for a session, in any kind of run.
import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { dryRunWait } from './dry-run.ts';

const slow = { ...commandCriterion('slow'), when: 'acceptance' } as const;

describe('A dry run', () => {
  it('A dry run prepares, checks the base, and parks where the first session would start', () => {
    const criteria = [commandCriterion('works'), slow, reviewerCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })], config: { dryRun: true } });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    // A run starts the slow checks beside its first session; here no other step is left.
    const [acceptance, ...others] = played.begin();
    expect(others).toEqual([]);
    if (acceptance === undefined) throw new Error('the slow checks run on the base too');
    expect(acceptance.deed).toMatchObject({ kind: 'check', purpose: 'base', when: 'acceptance' });
    played.endCheck(acceptance, { slow: 'fail' });
    const { start, record, waitingFor } = played.decide();
    expect({ start, record, waitingFor }).toEqual({ start: [], record: [], waitingFor: dryRunWait });
    expect(played.run.ledger.reserved.sessions).toBe(0);
  });

  it('The same run without dry-run starts its builder there', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(played.beginOne().deed.kind).toBe('session');
  });
});
