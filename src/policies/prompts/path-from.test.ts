import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import {
  commandCriterion,
  playRun,
  simulatedConfig,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { pathRelativeTo, textWithPathsFrom } from './path-from.ts';

describe('A path relative to a folder', () => {
  it('A path relative to a folder is correct for any folder and file [X6]', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', 'ab', 'ä b', '.c'), { maxLength: 4 });
    const below = countReached('a file below the folder', { floor: 0.05 });
    const beside = countReached('a file beside or above the folder', { floor: 0.1 });
    assertProperty(
      fc.property(
        parts,
        parts,
        fc.constantFrom('f.js', 'a'),
        fc.boolean(),
        (folder, other, name, isBelow) => {
          const above = isBelow ? [...folder, ...other] : other;
          const [from, to] = [folder.join('/'), [...above, name].join('/')];
          // A file cannot also be a folder above another file.
          fc.pre(!`${from}/`.startsWith(`${to}/`));
          if (posix.relative(from, to).startsWith('..')) beside.mark();
          else if (from !== '') below.mark();
          expect(pathRelativeTo(from, to)).toBe(posix.relative(from, to));
        },
      ),
      { reaches: [below, beside] },
    );
    expect(pathRelativeTo('apps/shop', '~/.npmrc')).toBe('~/.npmrc');
    expect(pathRelativeTo('apps/shop', '/etc/hosts')).toBe('/etc/hosts');
  });

  it('A relative path replaces the original path in a sentence, and no other word [X6]', () => {
    const text = 'test/a.js and apps/shop/test/a.js were changed, xtest/a.js was not';
    expect(textWithPathsFrom('apps/shop', text, ['test/a.js', 'apps/shop/test/a.js'])).toBe(
      '../../test/a.js and test/a.js were changed, xtest/a.js was not',
    );
  });

  it('A builder gets the relative path of a pinned file that it changed [X6] [X8]', () => {
    const { repo } = simulatedConfig();
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })],
      config: { repo: { ...repo, prefix: 'apps/shop' } },
    });
    played.prepare();
    const pin = { path: 'apps/shop/test/a.js', change: 'changed', why: 'a test', content: 'x' } as const;
    const [base] = played.begin();
    played.endCheck(base ?? raise(), { works: 'fail' });
    const [builder] = played.begin();
    played.endSession(builder ?? raise(), { endTree: 'work' });
    const [check] = played.begin();
    const { stepId } = check ?? raise();
    const evidence = simulatedEvidence({ stepId, tree: 'work' });
    const result = { kind: 'check', treeAfter: 'work', brokenPins: [pin] } as const;
    played.record({ type: 'evidence-recorded', evidence }, { type: 'step-ended', stepId, result });
    const [again] = played.begin();
    expect(again?.deed).toMatchObject({
      prompt: expect.stringMatching(/not accepted: test\/a\.js was changed/) as string,
    });
  });
});

function raise(): never {
  throw new Error('it is there');
}
