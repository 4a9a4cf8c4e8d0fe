import { describe, expect, it } from 'vitest';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Run } from '#kernel/fold/run.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { addedCriteria, addedTask, taskOfWords } from './added-task.ts';
import { parseTasks } from './task-file.ts';

const own: Criterion = {
  ...commandCriterion('AC-1'),
  origin: { from: 'tasks.md:3', check: 'given', confidence: null, why: '' },
};
const adding = {
  timeoutMs: 1000,
  infer: async () => ({ checks: null, why: 'it is vague', suggestion: null }),
};

function runOf(...criteria: (readonly Criterion[])[]): Run {
  return playRun({
    tasks: criteria.map((list, index) => simulatedTask(`task-${index + 1}`, { criteria: list })),
    config: { mayChange: ['docs/**'] },
  }).run;
}

const words = {
  description: '',
  scope: [],
  dependsOn: [],
  mayChange: [],
  criteria: ['it works (check: true)'],
  priority: undefined,
};

describe('An added task [Q5]', () => {
  it('An added task must pass its own criteria and those of every task of the run, and nothing else', async () => {
    const common = [commandCriterion('npm-test'), reviewerCriterion];
    const run = runOf([own, ...common], [commandCriterion('only-here'), ...common]);
    const task = await addedTask(run, taskOfWords({ ...words, id: 'task-3', title: ' Log out ' }), adding);
    expect(task).toMatchObject({ id: 'task-3', title: 'Log out', mayChange: ['docs/**'], dependsOn: [] });
    expect(task.criteria.map(({ id }) => id)).toEqual(['AC-1', 'npm-test', reviewerCriterion.id]);
    const alone = await addedTask(runOf([own]), taskOfWords({ ...words, id: 'b', title: 'b' }), adding);
    expect(alone.criteria.map(({ text }) => text)).toEqual(['it works']);
    const urgent = taskOfWords({ ...words, id: 'c', title: 'c', priority: 'High' });
    expect((await addedTask(run, urgent, adding)).rank).toBe(1);
    expect(task.criteria[0]).toMatchObject({ text: 'it works', check: { kind: 'command', run: 'true' } });
  });

  it('An added task can come from a file, and may depend on tasks of the run', async () => {
    const source = {
      name: 't.md',
      format: 'markdown',
      fallback: 't',
      known: ['main', 'T-1'],
      freeId: 'task-3',
    } as const;
    const good = '- [ ] x (check: true)';
    const { tasks } = await parseTasks(`# Log out\n**Depends on**: t-1\n${good}`, source);
    expect(tasks).toMatchObject([{ id: 'task-3', dependsOn: ['T-1'] }]);
    await expect(parseTasks(`## T-1: a\n${good}`, source)).rejects.toThrow(
      'the id T-1 is already used by a task of the run',
    );
    await expect(parseTasks(`## T-2: a\n**Depends on**: Q-9\n${good}`, source)).rejects.toThrow(
      'depends on "Q-9", which is not',
    );
  });

  it.each([
    ['an empty title', { title: ' ' }, 'The title is empty.'],
    ['an id for no file', { id: 'a/b' }, 'The id "a/b" cannot be used'],
    ['a priority that is none', { priority: 'hihg' }, 'Priority is "hihg"; did you mean "high"?'],
    ['a path outside', { scope: ['/etc/**'] }, 'Scope has "/etc/**", which is not inside'],
    [
      'a check that is not closed',
      { criteria: ['x (check: y'] },
      '--criterion "x (check: y": the check is not closed',
    ],
  ])('A wrong added task is refused with one sentence: %s [X6]', (_, change, message) => {
    expect(() => taskOfWords({ ...words, id: 'task-1', title: 't', ...change })).toThrow(message);
  });

  it('An added task may name agents that the run knows, and no others [C8]', async () => {
    const run = runOf([own]);
    const [known = ''] = Object.keys(run.config.agents);
    const task = taskOfWords({ ...words, id: 'task-3', title: 't' });
    const named = await addedTask(run, { ...task, agents: { builder: `${known}:big` } }, adding);
    expect(named.agents).toEqual({ builder: { name: known, model: 'big' } });
    await expect(addedTask(run, { ...task, agents: { bilder: known } }, adding)).rejects.toMatchObject({
      message: 'This run was started without the role "bilder".',
      hint: 'Did you mean "builder"?',
    });
    await expect(addedTask(run, { ...task, agents: { builder: 'nobody' } }, adding)).rejects.toThrow(
      'without the agent "nobody"',
    );
  });
});

describe('An added criterion', () => {
  it('The check of an added criterion is inferred only if the run was created with inference [K2]', async () => {
    const infer = async () =>
      ({
        checks: [{ kind: 'command', run: 'true', cwd: '', timeoutMs: 1000 }],
        confidence: 1,
        why: '',
      }) as const;
    const sentence = {
      text: 'it works',
      kind: 'exit',
      required: true,
      when: 'attempt',
      check: null,
      from: '',
    } as const;
    const add = (autoInferVerification: boolean) => {
      const policy = simulatedPolicy({ loops: { ...defaultLoops, autoInferVerification } });
      const { run } = playRun({ tasks: [simulatedTask('main', { criteria: [own] })], config: { policy } });
      return addedCriteria(run, [sentence], [own], { timeoutMs: 1000, infer });
    };
    expect(await add(true)).toMatchObject([{ id: 'AC-2', origin: { check: 'inferred' } }]);
    expect(await add(false)).toMatchObject([{ check: { kind: 'human' }, origin: { check: 'none' } }]);
  });
});
