import { describe, expect, it } from 'vitest';
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import {
  commandCriterion,
  playRun,
  simulatedConfig,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import type { Exit } from './exit.ts';
import { briefing, exitAfterPreview, openAnyway } from './exit.ts';
import { previewText, taskForAgent } from './for-agents.ts';
import { statusText } from '#views/status/status.ts';

/** An interactive session in which a person works. */
function interactive(criteria: readonly Criterion[] = [commandCriterion('works')]): PlayedRun {
  const config = simulatedConfig();
  const name = config.roles['builder']?.agent.name ?? '';
  const agents = { ...config.agents, [name]: { driver: 'foreign', env: [], options: {} } };
  const tasks = [simulatedTask('main', { criteria })];
  const foreign = { client: 'claude', sessionId: 'one' } as const;
  const played = playRun({ tasks, config: { agents, foreign } });
  played.prepare();
  // Checks of the acceptance run in a step of their own.
  for (let step = played.beginOne(); step.deed.kind === 'check'; step = played.beginOne())
    played.endCheck(step, { works: 'fail' });
  return played;
}

function leave(played: PlayedRun, verdict: Verdict): Exit {
  const lookId = played.ask({ kind: 'look', taskId: 'main' });
  const { stepId } = played.beginOne();
  const seen = { stepId, purpose: 'look', place: 'clean', tree: 't1', verdict } as const;
  played.record(
    { type: 'evidence-recorded', evidence: simulatedEvidence(seen) },
    {
      type: 'step-ended',
      stepId,
      result: { kind: 'check', tree: 't1', treeAfter: 't1', brokenPins: [] },
    },
  );
  return exitAfterPreview(played.run, lookId);
}

describe('The stop gate of an interactive session', () => {
  it('A question of the agent does not open the stop gate; the gate says how to ask, and the person is notified [K11]', () => {
    const played = interactive();
    played.ask({ kind: 'ask', taskId: 'main', question: 'Which port?' });
    played.settle();
    expect(openAnyway(played.run)).toBeNull();
    const exit = leave(played, 'fail');
    expect(exit).toMatchObject({ kind: 'shut' });
    const { reason = '', note } = exit as { reason?: string; note: string };
    expect(reason).toContain('works: ');
    expect(reason).toContain('in the chat');
    expect(reason).toContain('untildone answer "…"');
    expect(reason).toContain('/untildone:suspend');
    expect(note).toContain('Which port?');
    expect(note).toContain('untildone answer "…"');
  });

  it('The stop gate opens when the checks pass, and the question still waits [K11]', () => {
    const played = interactive();
    expect(leave(played, 'fail')).toMatchObject({ kind: 'shut', note: '' });
    played.ask({ kind: 'ask', taskId: 'main', question: 'Which port?' });
    const exit = leave(played, 'pass');
    expect(exit.kind).toBe('open');
    expect(exit.note).toContain('Which port?');
  });

  it('Only the person opens the stop gate early, by suspending the run [K11]', () => {
    const played = interactive();
    played.ask({ kind: 'ask', taskId: 'main', question: 'Which port?' });
    played.ask({ kind: 'pause', why: 'lunch' });
    played.settle();
    expect(openAnyway(played.run)).toContain('is suspended');
  });

  it('Status shows the stop gate: blocked, allowed after a preview that proves nothing, allowed while suspended [K11] [K12]', () => {
    const played = interactive();
    const status = (): string => statusText(played.run, { holder: null });
    expect(status()).toMatch(/⏳ works: .*\n\nCan exit: No \(incomplete\)/);
    leave(played, 'fail');
    expect(status()).toMatch(/⏳ works: .* \(fail in the last preview: .*\)\n\nCan exit: No/);
    leave(played, 'pass');
    expect(status()).toMatch(
      /⏳ works: .* \(pass in the last preview\)\n\nCan exit: Yes \(every check passed/,
    );
    expect(status()).toContain('Driver: none while the interactive session is open');
    played.ask({ kind: 'pause', why: 'lunch' });
    played.settle();
    expect(status()).toContain('Can exit: Yes (suspended; nothing is proven)');
  });

  it('The agent reads the same words about the last preview and its time [X14]', () => {
    const played = interactive();
    const read = (): string => {
      const task = played.run.tasks.get('main');
      return task === undefined ? '' : taskForAgent(played.run, task);
    };
    expect(read()).toContain('fail before the work)');
    leave(played, 'pass');
    expect(read()).toContain('pass in the last preview)');
  });
});

describe('A held-out criterion', () => {
  const kept: Criterion = {
    ...commandCriterion('kept-one'),
    text: 'the kept sentence',
    check: { kind: 'held-out', hash: 'hash-of-it' },
  };
  const traces = /kept|hash-of-it|held-out/;

  /** Everything that an attached session or an MCP client reads after a look. */
  function textsAfter(when: Criterion['when'], verdict: Verdict) {
    const played = interactive([commandCriterion('works'), { ...kept, when }]);
    const lookId = played.ask({ kind: 'look', taskId: 'main' });
    const { stepId } = played.beginOne();
    const seen = { stepId, purpose: 'look', place: 'clean', tree: 't1' } as const;
    const secret = { verdict, criterionId: 'kept-one', tail: 'kept output', reason: 'kept reason' } as const;
    played.record(
      { type: 'evidence-recorded', evidence: simulatedEvidence({ ...seen, verdict: 'pass' }) },
      { type: 'evidence-recorded', evidence: simulatedEvidence({ ...seen, ...secret }) },
      {
        type: 'step-ended',
        stepId,
        result: { kind: 'check', tree: 't1', treeAfter: 't1', brokenPins: [] },
      },
    );
    const { run } = played;
    const task = run.tasks.get('main');
    if (task === undefined) throw new Error('the run has no task');
    const exit = exitAfterPreview(run, lookId);
    const texts = [
      taskForAgent(run, task),
      previewText(run, 'main', lookId),
      JSON.stringify(exit),
      briefing(run),
    ];
    return { exit, texts };
  }

  it.each([
    ['attempt', 'fail', 'shut'],
    ['attempt', 'pass', 'open'],
    ['acceptance', 'fail', 'open'],
    ['acceptance', 'pass', 'open'],
  ] as const)(
    'A held-out criterion of the %s with the result %s is named to no attached session and no MCP client [K7]',
    (when, verdict, kind) => {
      const { exit, texts } = textsAfter(when, verdict);
      expect(exit.kind).toBe(kind);
      for (const text of texts) {
        expect(text).not.toMatch(traces);
        expect(text).not.toBe('');
      }
    },
  );

  it('A held-out criterion that blocks the stop gate is mentioned without its name [K7]', () => {
    const { texts } = textsAfter('attempt', 'fail');
    expect(texts[1]).toContain('Something that you have not been shown does not pass yet.');
    expect(texts[2]).toContain('something that this session has not been shown');
  });
});
