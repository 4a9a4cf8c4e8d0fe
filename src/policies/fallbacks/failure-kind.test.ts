import { describe, expect, it } from 'vitest';
import type { Evidence } from '#kernel/model/criterion.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { failureKind } from './failure-kind.ts';
import type { FailureKind } from '#kernel/events/failure-trace.ts';

const red = (tail: string): Partial<Evidence> => ({ verdict: 'fail', tail });
const green: Partial<Evidence> = { verdict: 'pass' };

interface Case {
  readonly base?: Partial<Evidence>;
  readonly works?: Partial<Evidence>;
  readonly other?: Partial<Evidence>;
  readonly tree?: string | null;
}

describe('The kind of a failure [C6]', () => {
  it.each<[string, FailureKind, Case]>([
    ['nothing was changed', 'strategic', { tree: 'base' }],
    ['the files could not be read', 'strategic', { tree: null }],
    ['a check says that the result is wrong', 'logic', { works: red('expected 3, got 4') }],
    ['Node cannot parse it', 'syntax', { works: red("SyntaxError: Unexpected token '}'") }],
    ['TypeScript cannot parse it', 'syntax', { works: red("a.ts(1,2): error TS1005: ';' expected.") }],
    ['Python cannot parse it', 'syntax', { works: red('IndentationError: unexpected indent') }],
    ['an import leads nowhere', 'syntax', { works: red("Error: Cannot find module './b.js'") }],
    [
      'one check is a slip and another one is not',
      'logic',
      { works: red('SyntaxError'), other: red('got 4') },
    ],
    ['only what was green is red', 'integration', { base: green, works: red('expected 3, got 4') }],
    [
      'what was green is red, and so is what the task asks for',
      'logic',
      { base: green, works: red('expected 3, got 4'), other: red('got 4') },
    ],
    ['what was green cannot be parsed any more', 'syntax', { base: green, works: red('SyntaxError: x') }],
    ['every check is green, and a reviewer was not content', 'logic', { works: green }],
  ])(
    'A failed attempt is classified by its cause: %s: %s',
    (_, kind, { base = red(''), works = green, other = green, tree = 'work' }) => {
      const criteria = [commandCriterion('works'), commandCriterion('other')];
      const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
      played.prepare();
      played.endCheck(played.beginOne(), { works: base.verdict ?? 'fail', other: 'fail' });
      played.endSession(played.beginOne(), { endTree: 'work' });
      for (const [criterionId, seen] of [
        ['works', works],
        ['other', other],
      ] as const)
        played.record({
          type: 'evidence-recorded',
          evidence: simulatedEvidence({ criterionId, tree: 'work', ...seen }),
        });
      const task = played.run.tasks.get('main');
      if (task === undefined) throw new Error('the run has a task');
      expect(failureKind(played.run, task, tree)).toBe(kind);
    },
  );
});
