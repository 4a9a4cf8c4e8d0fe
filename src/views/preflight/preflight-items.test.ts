// The first lines of a run: everything that it found before it spends money.
import { describe, expect, it } from 'vitest';
import type { PlanningSettings, RunConfig } from '#kernel/model/config.ts';
import type { Task } from '#kernel/model/task.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import {
  commandCriterion,
  reviewerCriterion,
  simulatedBudget,
  simulatedConfig,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PreflightItem } from './preflight.ts';
import { preflightLines } from './preflight.ts';
import {
  agentItems,
  budgetItem,
  checksItem,
  noteItems,
  proofItem,
  reviewersItems,
  sandboxItem,
  startItems,
} from './preflight-items.ts';

const role = (name: string, model: string | null = null): RunConfig['roles'][string] => ({
  agent: { name, model },
  prompt: '',
  words: { done: '', reportTag: null },
  readOnly: false,
  limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
});
const planning: PlanningSettings = {
  approval: 'person',
  replansMax: 3,
  refusalsMax: 2,
  milestones: [],
  mapTokens: 1000,
  architectSees: 'map',
  deadEnd: 'ask',
  constraints: '',
  criteria: [],
  everyTask: [],
};
const config = simulatedConfig({
  agents: {
    mine: { driver: 'command', env: [], options: {} },
    gemini: {
      driver: 'acp',
      env: [],
      options: {},
      payer: { kind: 'unknown', name: 'no login and no key was found (start it once)' },
    },
  },
  roles: { builder: role('mine') },
  budget: simulatedBudget({ attemptsPerTask: 20 }),
});
const machine = commandCriterion('works');

describe('The list', () => {
  it('The texts of a list are aligned below one another, and a hint below its text', () => {
    const items: PreflightItem[] = [
      { mark: 'ok', about: 'setup', text: 'npm ci' },
      { mark: 'warning', about: 'starts from', text: 'main', hint: 'commit it' },
      { mark: 'refused', about: 'a-task-with-a-long-name/builder', text: 'x' },
    ];
    expect(preflightLines(items)).toEqual([
      '  ✓ setup:       npm ci',
      '  ! starts from: main',
      '                 commit it',
      '  ✗ a-task-with-a-long-name/builder: x',
    ]);
    expect(preflightLines(items.slice(0, 1))).toEqual(['  ✓ setup: npm ci']);
  });
});

describe('The starting point of a run', () => {
  const at = { branch: 'main', commit: 'abcdef1234567', uncommitted: [] };
  const repo = { ...config.repo, inPlace: false };

  it('The preflight names the branch, the commit and the place, and says when a checkout has no branch', () => {
    expect(startItems(repo, at)).toEqual([
      {
        mark: 'ok',
        about: 'starts from',
        text: 'main at abcdef1, on its own branch and worktree; your checkout is not touched',
      },
    ]);
    expect(startItems(repo, { ...at, branch: null })[0]?.text).toContain('no branch at abcdef1');
    expect(startItems({ ...repo, inPlace: true }, at)[0]?.text).toContain('your edits during the run count');
  });

  it('Uncommitted paths are counted and a few are named, with the action to take', () => {
    const uncommitted = Array.from({ length: 40 }, (_, index) => `src/some-file-${index}.ts`);
    const [, item] = startItems(repo, { ...at, uncommitted });
    expect(item).toMatchObject({ mark: 'warning', about: 'left out' });
    expect(item?.text).toMatch(
      /^40 uncommitted paths, not part of the run: src\/some-file-0\.ts, .* and 3\d more$/,
    );
    expect(item?.text.length).toBeLessThan(120);
    expect(item?.hint).toContain('--copy');
    expect(startItems(repo, { ...at, uncommitted: ['a b.txt'] })[1]?.text).toBe(
      '1 uncommitted path, not part of the run: a b.txt',
    );
  });
});

describe('Agents', () => {
  const text = (items: readonly PreflightItem[]): string => preflightLines(items).join('\n');

  it('Each role has its agent, version, model and payer before money is spent [X1]', () => {
    const both = { ...config, roles: { builder: role('mine', 'big'), verifier: role('mine', 'big') } };
    expect(agentItems(both, [], new Map([['mine', '1.2.3']]))).toEqual([
      {
        mark: 'ok',
        about: 'builder',
        text: "mine (command) 1.2.3, model big, paid through the agent's own login (unknown)",
      },
      { mark: 'ok', about: 'verifier', text: 'mine (command), as the builder' },
    ]);
    expect(text(agentItems(config, [], new Map()))).toContain('mine (command), its own model, paid through');
  });

  it('A client without a detected login gets a mark, because only a session can show it', () => {
    const items = agentItems({ ...config, roles: { builder: role('gemini') } }, [], new Map());
    expect(items[0]).toMatchObject({ mark: 'warning', text: expect.stringContaining('no login') as string });
  });

  it('The agents of single tasks are named too, and of many tasks only a few [X1] [C8]', () => {
    const agents = { builder: { name: 'mine', model: 'big' } };
    const items = (count: number): PreflightItem[] => {
      const tasks = Array.from({ length: count }, (_, index) => simulatedTask(`t${index + 1}`, { agents }));
      return agentItems(config, tasks, new Map()).slice(1);
    };
    expect(items(1)).toEqual([
      {
        mark: 'ok',
        about: 't1/builder',
        text: "mine (command), model big, paid through the agent's own login (unknown)",
      },
    ]);
    expect(items(200)).toHaveLength(7);
    expect(items(200).at(-1)?.text).toBe('194 more roles of single tasks');
  });
});

describe('Reviewers of a campaign', () => {
  it('A campaign names its reviewers, or says that it has none; other presets name them as roles [Q10]', () => {
    const items = (everyTask: PlanningSettings['everyTask']): PreflightItem[] =>
      reviewersItems({ ...config, policy: { ...config.policy, planning: { ...planning, everyTask } } });
    expect(items([machine])[0]?.text).toBe('none; only the checks of each task decide');
    expect(items([machine])[0]?.hint).toContain('"reviewers": [{ "name": "second", "agent": "claude" }]');
    const security = commandCriterion('security', { check: { kind: 'reviewer', role: 'security' } });
    expect(items([reviewerCriterion, security])[0]?.text).toBe(
      'verifier, security; each must pass every task',
    );
    expect(reviewersItems(config)).toEqual([]);
  });
});

describe('Sandbox, budget and notes', () => {
  it('A run without a sandbox says so, and one with an agent of unknown needs says which settings give it access [C10]', () => {
    expect(sandboxItem(config)).toMatchObject({
      mark: 'warning',
      text: expect.stringContaining('NOT SANDBOXED') as string,
    });
    const sandbox = {
      kind: 'bubblewrap',
      isRequired: true,
      why: '',
      allowRead: [],
      denyRead: [],
      allowWrite: [],
      allowHosts: [],
      undescribed: ['command:my-cli'],
    } as const;
    const item = sandboxItem({ sandbox });
    expect(item).toMatchObject({ mark: 'ok', hint: expect.stringContaining('sandbox.allowHosts') as string });
    expect(item.text).toMatch(/^by bubblewrap/);
    expect(item.text.length).toBeLessThan(110);
  });

  it('The preflight names the maximum cost of the run [X1]', () => {
    expect(budgetItem(config).text).toBe(
      'at most 40 sessions, $20.00 or 20M tokens, 8h 00m, 20 attempts a task',
    );
  });

  it('The preflight names every limit that can end the attempts, and none that cannot [X1]', () => {
    const budgetText = (policy: Partial<RunConfig['policy']>, attemptsPerTask = 20): string => {
      const limited = { ...config.budget, attemptsPerTask };
      return budgetItem({ ...config, policy: { ...config.policy, ...policy }, budget: limited }).text;
    };
    const loops = { ...defaultLoops, maxRetries: 5, maxIterations: 20 };
    expect(budgetText({ stuckMax: 3 })).toMatch(/20 attempts a task, 3 similar failures in a row$/);
    expect(budgetText({ stuckMax: 3 }, 3)).toMatch(/3 attempts a task$/);
    expect(budgetText({ stuckMax: 0 })).toMatch(/20 attempts a task$/);
    expect(budgetText({ loops }, 1000)).toMatch(/, 5 failures a criterion, 20 passes over them$/);
    expect(budgetText({ loops, stuckMax: 3 }, 7)).toMatch(
      /, 7 attempts a task, 5 failures a criterion, 20 passes over them$/,
    );
  });

  it('Permissions given in advance that weaken the proof are shown prominently [X8]', () => {
    const weak = (more: Partial<RunConfig>, tasks: readonly Task[] = []): string =>
      noteItems({ ...config, ...more }, tasks, [])
        .map(({ mark, text }) => `${mark} ${text}`)
        .join('\n');
    expect(weak({})).toBe('');
    expect(weak({ mayChange: ['test/parser/**', '*.md'] })).toBe('');
    for (const glob of ['**', '**/*', '*', './**', '**/*.*', '**/**'])
      expect(weak({ mayChange: [glob] })).toContain(`warning WEAK PROOF: "${glob}" may change`);
    expect(weak({ knownRed: 'all' })).toContain('whatever check is red before');
    expect(weak({ knownRed: ['npm-test'] })).toContain('npm-test, if red before');
    expect(weak({}, [simulatedTask('t1', { mayChange: ['**'] })])).toContain('WEAK PROOF');
  });

  it('A note is a warning, except the one about the plan in use', () => {
    expect(noteItems(config, [], ['Something is odd.', 'The plan is /a/CLAUDE.md.'])).toEqual([
      { mark: 'warning', about: 'note', text: 'Something is odd.' },
      { mark: 'ok', about: 'plan', text: '/a/CLAUDE.md' },
    ]);
  });

  it('A run without a verifier says so, with a mark unless requested; the remaining proof is named once', () => {
    const hint = 'To let it review: --agent "verifier=command:x.y z".';
    expect(noteItems(config, [], [`There is no verifier: x.y is a plain command. ${hint}`])).toEqual([
      { mark: 'warning', about: 'verifier', text: 'none (x.y is a plain command)', hint },
    ]);
    const wish = 'There is no verifier (--verifier none).';
    expect(noteItems(config, [], [wish])).toEqual([
      { mark: 'ok', about: 'verifier', text: 'none (--verifier none)' },
    ]);
    expect(noteItems(config, [], [`${wish} The other reviewers stay.`])[0]?.hint).toBe(
      'The other reviewers stay.',
    );
    const campaign = { ...config, policy: { ...config.policy, planning } };
    expect(noteItems(campaign, [], [wish])).toEqual([]);
    expect(reviewersItems(campaign, [wish])).toEqual([
      {
        mark: 'ok',
        about: 'reviewers',
        text: 'none (--verifier none); only the checks of each task decide',
      },
    ]);
    const [checked] = [simulatedTask('t', { criteria: [machine] })];
    expect(proofItem(config, [checked]).text).toContain('or your approval');
  });
});

describe('Checks and proof', () => {
  const tasks = (...criteria: Task['criteria'][number][]): Task[] => [simulatedTask('t', { criteria })];
  const strict = { ...config, acceptReview: false } as const;

  it('Each check is named once, and a run without one says what that means', () => {
    const twice = [...tasks(machine), ...tasks(machine)];
    expect(checksItem(strict, twice)).toMatchObject({ mark: 'ok' });
    expect(checksItem(strict, twice).text.match(/works/g)).toHaveLength(1);
    expect(checksItem(strict, tasks()).text).toBe('none; only you will review the work');
    expect(checksItem(strict, tasks(reviewerCriterion))).toMatchObject({
      mark: 'warning',
      hint: 'Add one that fails today: --check "…"',
    });
  });

  it('The possible proof follows from checks, reviewers and the settings of the person', () => {
    const textOf = (given: RunConfig, ...criteria: Task['criteria'][number][]): string =>
      proofItem(given, tasks(...criteria)).text;
    expect(textOf(strict, machine, reviewerCriterion)).toBe(
      'a check that turns from red to green, tests that are added and reviewed, or your approval',
    );
    expect(textOf(strict, machine)).toBe('a check that turns from red to green, or your approval');
    expect(proofItem(strict, tasks(reviewerCriterion)).mark).toBe('warning');
    expect(textOf({ ...config, acceptReview: true }, reviewerCriterion)).toContain(
      "a reviewer's pass (accepted in advance)",
    );
  });
});
