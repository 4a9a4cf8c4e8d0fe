import { afterAll, expect, it } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { makeSample } from '#test/git/sample-repository.ts';
import { findRunsAfterLanding } from './after-landing.ts';

const sample = makeSample();
afterAll(() => sample.remove());

it.each([
  ['a path from the root', 'tools/hooks', ['tools/hooks/pre-push']],
  ['an absolute path', `${sample.root}/tools/hooks/`, ['tools/hooks/pre-push']],
  ['a folder outside of the repository', '/nowhere/hooks', []],
])('A new hook is named by core.hooksPath, set as %s [X13]', async (_, hooksPath, expected) => {
  const from = sample.commit('base');
  sample.git('config', 'core.hooksPath', hooksPath);
  sample.write('tools/hooks/pre-push', 'true\n', 0o755);
  sample.write('tools/other', 'true\n');
  const to = sample.git('rev-parse', `${sample.commit('work')}^{tree}`);
  sample.git('reset', '-q', '--hard', from);
  const ground = {
    git: createGit(sample.root, sample.env),
    gitDir: `${sample.root}/.git`,
    root: sample.root,
  };
  const found = await findRunsAfterLanding(ground, { from, to });
  expect(found.map(({ path }) => path)).toEqual(expected);
});
