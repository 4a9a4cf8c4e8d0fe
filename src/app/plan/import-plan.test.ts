import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planTask } from '#tasks/plan-task.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { byUrgency } from '#kernel/planning/place-task.ts';
import { createTask } from '#kernel/fold/create-task.ts';
import type { Task } from '#kernel/model/task.ts';
import { readPlan } from '#policies/planning/written-plan.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { planOf, playCampaign } from '#test/simulated/played-campaign.ts';
import { commandCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import { planJson } from '#views/plan/plan.ts';
import { importPlan, planNotes } from './import-plan.ts';
import type { Site } from '#app/site.ts';
import { openSite } from '#app/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let site: Site;
beforeAll(async () => {
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CEILING_DIRECTORIES: folder,
  };
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, env });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  site = await openSite(folder, env);
});

const guard = commandCriterion('whole', { guard: true });
const planning = { everyTask: [guard], checkTimeoutMs: 1_200_000 };
const agents: RunConfig['agents'] = {
  one: { driver: 'command', env: [], options: {} },
  'command:two --fast': { driver: 'command', env: [], options: {} },
};
const config = (tasks: readonly Task[]) => {
  const played = playCampaign({
    plan: () => planOf(tasks),
    planning: { ...planning, approval: 'person', milestones: [] },
    policy: {},
  });
  Object.assign(played.run.config, { agents, mayChange: ['test/all/**'] });
  played.goOn();
  return played;
};

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const line = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const maybe = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.option(value).map((one) => (one === null ? {} : { [key]: one }));
const joined = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const one = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  value.map((made) => ({ [key]: made }));

const running = [
  maybe('cwd', word),
  maybe('timeout', fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom('250ms', '90s', '20m', '2h'))),
  maybe('parallel', fc.boolean()),
];
const command = fc.oneof(
  line,
  fc.constantFrom('file:a=b', 'symbol:x@y', 'https://a.b/c', 'human', ' human ', 'npm test'),
);
const table = fc.oneof(
  joined(one('run', command), maybe('gate', fc.constantFrom('tests', 'lint', 'types', 'build')), ...running),
  joined(one('file', word), maybe('exists', fc.boolean())),
  joined(one('file', word), one('contains', line)),
  joined(one('file', word), one('json', word), maybe('equals', fc.jsonValue())),
  joined(
    one('symbol', word),
    maybe('what', fc.constantFrom('function', 'class', 'type', 'any', 'use')),
    maybe('in', word),
  ),
  joined(
    fc.constant({ url: 'http://localhost:{port}/a', serve: 'npm start' }),
    maybe('status', fc.integer({ min: 100, max: 599 })),
    maybe('contains', line),
    ...running,
  ),
  joined(fc.constant({ page: 'https://a.b/c', selector: '#a' }), maybe('text', line), ...running),
  joined(one('script', word), maybe('serve', line), ...running),
);
const criterion = joined(
  one('text', line),
  one('check', fc.oneof(command, table)),
  maybe('required', fc.boolean()),
  maybe('when', fc.constantFrom('attempt', 'acceptance')),
);
const entry = joined(one('text', line), one('check', table), maybe('required', fc.boolean()));
const task = joined(
  one('title', line),
  one(
    'description',
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  ),
  one('files', fc.array(word, { maxLength: 3 })),
  one('creates', fc.array(word, { maxLength: 3 })),
  one('hints', fc.array(line, { maxLength: 2 })),
  maybe('domain', word),
  maybe('mayChange', fc.array(fc.constantFrom('test/**', 'test/all/**'), { maxLength: 2 })),
  maybe(
    'agents',
    fc.constantFrom({ builder: 'one' }, { builder: 'one:big', architect: 'command:two --fast' }),
  ),
  maybe('securityCritical', fc.boolean()),
  maybe('priority', fc.constantFrom('critical', 'high', 'medium', 'low')),
  maybe('entryCriteria', fc.array(entry, { maxLength: 2 })),
  one('exitCriteria', fc.array(criterion, { minLength: 1, maxLength: 3 })),
);
const plans = fc
  .array(task, { minLength: 1, maxLength: 3 })
  .map((tasks) => tasks.map((known, n) => ({ id: `T${n}`, dependsOn: n > 0 ? ['T0'] : [], ...known })));

async function made(text: string): Promise<Task[]> {
  const { plan, problems } = readPlan(text);
  expect(problems).toEqual([]);
  const { chosenAgents } = await import('#tasks/added-task.ts');
  const { roles } = playCampaign({ plan: () => planOf([]) }).run.config;
  const all = (plan?.tasks ?? []).map((written) =>
    planTask(written, {
      planning,
      mayChange: ['test/all/**'],
      by: 'person',
      agentsOf: (of) => chosenAgents({ agents, roles }, of.agents),
      infer: null,
    }),
  );
  return (await Promise.all(all)).map((result) => {
    expect(result.problems).toEqual([]);
    if (result.task === null) throw new Error('no task');
    return result.task;
  });
}

describe('A written plan', () => {
  it('A written plan is read back as the very same plan, whatever its tasks contain [C1]', async () => {
    const several = countReached('a plan of several tasks', { floor: 0.2 });
    const priorities = countReached('tasks of different priorities', { floor: 0.1 });
    await assertProperty(
      fc.asyncProperty(plans, async (written) => {
        const tasks = await made(JSON.stringify({ tasks: written }));
        if (tasks.length > 1) several.mark();
        if (new Set(tasks.map(({ rank }) => rank)).size > 1) priorities.mark();
        const shown = JSON.stringify(planJson(config(tasks).run));
        // In the order in which they are worked off: the more urgent first.
        const inOrder = byUrgency(tasks.map((spec) => ({ spec }))).map(({ spec }) => spec);
        expect(JSON.stringify(await made(shown))).toBe(JSON.stringify(inOrder));
      }),
      { numRuns: 60, reaches: [several, priorities] },
    );
  });

  it('A written plan leaves unedited tasks unchanged, and keeps how a check was found [C1]', async () => {
    const origin = { from: 'task T1', check: 'inferred', confidence: 0.9, why: 'it names a file' } as const;
    const tasks = [
      simulatedTask('T1', {
        criteria: [commandCriterion('AC-1', { origin }), commandCriterion('EC-1', { kind: 'entry' }), guard],
        mayChange: ['test/all/**'],
      }),
      simulatedTask('T2', { criteria: [commandCriterion('AC-1', { origin }), guard] }),
    ];
    const { run } = config(tasks);
    Object.assign(run, { tip: null });
    run.plan.proposal = null;
    for (const spec of tasks) run.tasks.set(spec.id, { ...createTask(spec, 0), status: { is: 'ready' } });
    const plan = planJson(run);
    const file = { name: 'plan.json', text: JSON.stringify(plan) };
    const kept = await importPlan(site, run.config, file, { run });
    expect(kept.tasks[0]).toBe(tasks[0]);
    const edited = plan.tasks.map((spec) => ({ ...spec, title: `${spec.title}!` }));
    const text = JSON.stringify({ ...plan, tasks: edited });
    const changed = await importPlan(site, run.config, { name: 'plan.json', text }, { run });
    expect(changed.tasks[1]?.title).toBe('Task T2!');
    expect(changed.tasks[1]?.criteria[0]?.origin).toEqual(origin);
  });

  it('A written plan leaves out our own final acceptance, and refuses another goal [C1] [C6]', async () => {
    const { run } = config([simulatedTask('T1')]);
    Object.assign(run, { tip: null });
    run.plan.proposal = null;
    run.tasks.set('T1', { ...createTask(simulatedTask('T1'), 0), status: { is: 'ready' } });
    run.tasks.set('goal', {
      ...createTask(simulatedTask('goal'), 1),
      status: { is: 'ready' },
      origin: { by: 'policy', isPerson: false },
    });
    const plan = planJson(run);
    expect(plan.tasks.map(({ id }) => id)).toEqual(['T1', 'goal']);
    const text = JSON.stringify(plan);
    for (const target of [{ run }, {}]) {
      const { tasks } = await importPlan(site, run.config, { name: 'plan.json', text }, target);
      expect(tasks.map(({ id }) => id)).toEqual(['T1']);
    }
    const other = JSON.stringify({ ...plan, goal: 'something else' });
    await expect(importPlan(site, run.config, { name: 'p', text: other }, { run })).rejects.toThrow(
      'The goal of a run cannot change',
    );
  });

  it('A plan of a person lists the criteria that a person will decide, before any session is paid [C1]', async () => {
    const { run } = config([simulatedTask('T1')]);
    const task = (id: string, exitCriteria: readonly string[]) => ({ id, title: id, exitCriteria });
    const text = JSON.stringify({
      tasks: [
        task('T1', ['it feels right', 'file:README.md']),
        task(
          'T2',
          Array.from({ length: 40 }, (_, at) => `it is nice ${at}`),
        ),
      ],
    });
    const { tasks } = await importPlan(site, run.config, { name: 'plan.json', text });
    const notes = planNotes(tasks);
    expect(notes[0]).toMatch(/^T1: AC-1 "it feels right" is decided by a person: /);
    expect(notes.join('\n')).not.toContain('README.md');
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('… and 21 more criteria without a check of their own');
  });

  it('A written plan reports every unknown key, also in a criterion [C1]', () => {
    const criteria = [
      { text: 'a', requird: false },
      { text: 'b', when: 'later', required: 'no', id: 'x y' },
    ];
    const tasks = [{ id: 'T1', title: 'x', agents: ['one'], securityCritical: 1, exitCriteria: criteria }];
    const { problems } = readPlan(JSON.stringify({ tasks }));
    for (const part of ['unknown field "requird"', '"when"', '"required"', '"id"', '"agents"', '"securityCr'])
      expect(problems.join('\n')).toContain(part);
  });
});
