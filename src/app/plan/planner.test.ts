import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanningSettings } from '#kernel/model/config.ts';
import type { SettledPlan } from '#kernel/planning/plan.ts';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import { createPlanner } from './planner.ts';
import { openSite } from '#app/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-planner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  XDG_STATE_HOME: join(folder, 'state'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: folder,
};

const repository = join(folder, 'one');
beforeAll(() => {
  mkdirSync(repository);
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    [...git, 'commit', '-q', '--allow-empty', '-m', 'first'],
  ])
    spawnSync('git', args, { cwd: repository, env });
});

async function settle(text: string, approval: 'person' | 'nobody'): Promise<SettledPlan> {
  const site = await openSite(repository, env);
  const planning: PlanningSettings = { ...noPlanning, approval };
  const { repo, policy, mayChange } = simulatedConfig();
  const config = { repo, mayChange, policy: { ...policy, planning } };
  const planner = createPlanner(site, config, { root: repository, recentCommits: () => Promise.resolve([]) });
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
  return planner.settle({ text, tree: stdout.trim(), done: [], open: [] });
}

const noPlanning: Omit<PlanningSettings, 'approval'> = {
  replansMax: 0,
  refusalsMax: 0,
  milestones: [],
  mapTokens: 1000,
  architectSees: 'map',
  deadEnd: 'ask',
  constraints: '',
  criteria: [],
  everyTask: [],
};

describe('Planning in a part of a repository', () => {
  it('The map names files as a plan must name them: from the folder where the run was started [C1] [C2]', async () => {
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

describe('A criterion of a plan that no machine can check', () => {
  const check = { text: 'it sells', check: 'test -f sold' };
  const nice = { text: 'it looks nice' };
  const plan = (...tasks: object[]): string => JSON.stringify({ summary: 'one step', tasks });
  const soft = plan(
    {
      id: 'T1',
      title: 'Sell',
      exitCriteria: [check, nice],
      entryCriteria: [{ text: 'the mood is good' }],
    },
    { id: 'T2', title: 'Buy', exitCriteria: [check] },
  );

  it('A soft criterion is decided by the person who approves the plan; the rest of the plan stays [C1] [K8]', async () => {
    const { problems, tasks, notes } = await settle(soft, 'person');
    expect(problems).toEqual([]);
    expect(tasks.map(({ id, criteria }) => `${id}: ${criteria.map((one) => one.check.kind).join()}`)).toEqual(
      ['T1: command,human', 'T2: command'],
    );
    expect(notes).toEqual([
      'one step',
      'T1: no check was found for "the mood is good", so it is left out',
      'T1: no check was found for "it looks nice", so a person decides it',
    ]);
  });

  it('Without approval, a soft criterion is left out with a note [C1]', async () => {
    const { problems, tasks, notes } = await settle(soft, 'nobody');
    expect(problems).toEqual([]);
    expect(tasks.flatMap(({ criteria }) => criteria.map((one) => one.text))).toEqual([
      'it sells',
      'it sells',
    ]);
    expect(notes).toContain('T1: no check was found for "it looks nice", so it is left out');
  });

  const onlySoft = plan({ id: 'T1', title: 'Sell', exitCriteria: [nice, { ...check, required: false }] });

  it('A soft criterion that is the only one of its task is decided by the person who approves the plan [C1] [K8]', async () => {
    const { problems, tasks, notes } = await settle(onlySoft, 'person');
    expect(problems).toEqual([]);
    expect(tasks.flatMap(({ criteria }) => criteria.map((one) => one.check.kind))).toEqual([
      'human',
      'command',
    ]);
    expect(notes).toContain('T1: no check was found for "it looks nice", so a person decides it');
  });

  it('Without approval, a task with only soft criteria is refused, and so is one without requirements [C1] [X7]', async () => {
    expect(await settle(onlySoft, 'nobody')).toMatchObject({
      problems: [
        expect.stringMatching(
          /^T1: no check could be found for "it looks nice".*; write one under "check"$/,
        ) as string,
      ],
      tasks: [],
    });
    const wish = plan({ id: 'T1', title: 'Sell', exitCriteria: [{ ...nice, required: false }] });
    for (const approval of ['person', 'nobody'] as const)
      expect(await settle(wish, approval)).toMatchObject({
        problems: [expect.stringMatching(/^T1: /) as string],
        tasks: [],
      });
  });

  it('The notes of a plan are bounded [C1]', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      id: `T${index}`,
      title: `Sell ${index}`,
      exitCriteria: [check, nice],
    }));
    const { notes } = await settle(plan(...many), 'nobody');
    expect(notes).toHaveLength(22);
    expect(notes.at(-1)).toBe('and 10 more notes');
  });
});
