import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulatedConfig } from '#testing/simulated-run.ts';
import { createPlanner } from './planner.ts';
import { openSite } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-planner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  XDG_STATE_HOME: join(folder, 'state'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: folder,
};

describe('planning in a part of a repository', () => {
  it('names files on the map as a plan must name them: from the folder where the run was started [C1] [C2]', async () => {
    const root = join(folder, 'many');
    const git = (...args: string[]): string =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: root,
        env,
        encoding: 'utf8',
      }).stdout.trim();
    mkdirSync(join(root, 'packages/app/src'), { recursive: true });
    mkdirSync(join(root, 'packages/app2'));
    git('init', '-q');
    writeFileSync(join(root, 'packages/app/src/shop.py'), 'def buy(n: int):\n    return n\n');
    writeFileSync(join(root, 'packages/app2/other.py'), 'def other(): pass\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(root, 'packages/app/src/shop.py'), 'def buy(n: int):\n    return n + 1\n');
    writeFileSync(join(root, 'packages/app2/other.py'), 'def another(): pass\n');
    git('commit', '-qam', 'second');
    const site = await openSite(join(root, 'packages/app'), env);
    const repo = { ...simulatedConfig().repo, branch: git('branch', '--show-current') };
    const planner = createPlanner(
      site,
      { ...simulatedConfig(), repo },
      {
        root,
        recentCommits: () => Promise.resolve([]),
      },
    );
    const tree = git('rev-parse', 'HEAD^{tree}');
    const { map, memory } = await planner.survey({ goal: 'buy', tokens: 4000, tree });
    expect(map).toContain('src/\n  shop.py\n    def buy(n: int)');
    expect(map).not.toMatch(/packages|other\.py/);
    // The last change too, as it is shown from git.
    expect(memory).toContain('+++ b/src/shop.py\n');
    expect(memory).not.toMatch(/packages|other\.py/);
    const plan = (file: string): string =>
      JSON.stringify({
        tasks: [
          { id: 'T1', title: 'Sell', files: [file], exitCriteria: [{ text: 'it sells', check: 'true' }] },
        ],
      });
    const settled = (file: string) => planner.settle({ text: plan(file), tree, done: [], open: [] });
    expect((await settled('src/shop.py')).problems).toEqual([]);
    expect((await settled('packages/app/src/shop.py')).problems).toHaveLength(1);
    const wrong = JSON.stringify({
      tasks: [
        { id: 'T1', title: 'A', dependsOn: ['T9'], exitCriteria: [{ text: 'it sells', check: 'true' }] },
        { id: 'T2', title: 'B', files: ['no.py'], exitCriteria: [{ text: 'it sells', check: 'true' }] },
        { id: 'T3', title: 'C', exitCriteria: [{ text: 'it looks nice' }] },
      ],
    });
    expect((await planner.settle({ text: wrong, tree, done: [], open: [] })).problems).toEqual([
      expect.stringMatching(/^T1: it depends on "T9"/),
      expect.stringMatching(/^T2: .*no\.py/),
      expect.stringMatching(/^T3: .*it looks nice" \(.+\); write one under "check"$/),
    ]);
  });
});
