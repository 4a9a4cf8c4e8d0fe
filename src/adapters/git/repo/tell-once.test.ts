import { expect, test } from 'vitest';
import type { Git } from './git.ts';
import { tellOnce } from './tell-once.ts';

const tree = 'a'.repeat(40);

function countingGit(answer = 'said'): { readonly git: Git; readonly asked: string[] } {
  const asked: string[] = [];
  const tell = async (args: readonly string[]): Promise<string> => {
    asked.push(args.join(' '));
    return answer;
  };
  const ask: Git['ask'] = async () => ({ code: 0, stdout: '', stderr: '' });
  return {
    asked,
    git: {
      ask,
      tell,
      settings: () => Promise.reject(new Error('not asked')),
      forgetSettings: () => undefined,
      hasLfs: false,
    },
  };
}

test('Git is asked once about an object that is named by its hash, and each time about a name that can move', async () => {
  const { git, asked } = countingGit();
  for (const object of [tree, tree, 'HEAD', 'HEAD', `${tree}:file`, `${tree}:file`])
    expect(await tellOnce(git, ['ls-tree', object], {})).toBe('said');
  expect(asked).toEqual([
    `ls-tree ${tree}`,
    'ls-tree HEAD',
    'ls-tree HEAD',
    `ls-tree ${tree}:file`,
    `ls-tree ${tree}:file`,
  ]);
});

test('Answers of git are cached per question and per git, and dropped when they take too much room', async () => {
  const [one, other] = [countingGit(), countingGit('x'.repeat(20 * 1024 * 1024))];
  await tellOnce(one.git, ['cat-file', '-s', tree], {});
  await tellOnce(one.git, ['cat-file', 'blob', tree], {});
  await tellOnce(other.git, ['cat-file', 'blob', tree], {});
  await tellOnce(other.git, ['cat-file', 'blob', 'b'.repeat(40)], {});
  await tellOnce(other.git, ['cat-file', 'blob', tree], {});
  expect([one.asked.length, other.asked.length]).toEqual([2, 3]);
});
