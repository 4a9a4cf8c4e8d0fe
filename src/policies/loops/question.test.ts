import { describe, expect, it } from 'vitest';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { criteria } from '#policies/presets/criteria.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';

const asks = { signal: { kind: 'needs-input', question: 'Euro or dollar?' }, endTree: 'half' } as const;

describe.each([
  ['builder-verifier', builderVerifier.policy],
  ['criteria', criteria.policy],
])('A builder that asks, in %s', (_preset, policy) => {
  it("A builder's question parks its task without a check, and the answer continues the same attempt [U4]", () => {
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })],
      policy,
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), asks);
    const { start, waitingFor } = played.settle();
    expect(start).toEqual([]);
    expect(waitingFor).toBe('an answer to "Euro or dollar?"');
    expect(played.run.tasks.get('main')).toMatchObject({
      status: { is: 'needs-input' },
      failures: { count: 0 },
    });
    const [item] = attentionItems(played.run);
    if (item?.kind !== 'question') throw new Error('it is asked');
    expect(commandsOf(played.run, item)).toEqual(['untildone answer "…" --run run --question q-builder_001']);
    played.takeOver();
    played.ask({ kind: 'answer', questionId: item.questionId, text: 'euro, always' });
    const next = played.beginOne();
    expect(next).toMatchObject({ baseTree: 'half', deed: { role: 'builder', attempt: 1 } });
    expect(next.deed.kind === 'session' && next.deed.prompt).toContain('euro, always');
    // Another question must be answered separately.
    played.endSession(next, asks);
    played.settle();
    expect(attentionItems(played.run)).toMatchObject([{ questionId: 'q-builder_002' }]);
    played.ask({ kind: 'answer', questionId: 'q-builder_002', text: 'euro' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    const check = played.beginOne();
    expect(check.deed).toMatchObject({ kind: 'check', purpose: 'attempt' });
    // Every session starts without memory: an answer is part of all later prompts.
    played.endCheck(check, { works: 'fail' });
    const { deed } = played.beginOne();
    expect(deed.kind === 'session' && deed.prompt).toMatch(
      /You asked: Euro or dollar\?\n {2}The answer: euro, always[^]*The answer: euro\n/,
    );
  });
});
