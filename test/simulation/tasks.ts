// The tasks of a simulated run: their dependencies and criteria.
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Random } from './random.ts';
import { commandCriterion } from '#test/simulated/simulated-run.ts';

export const pinnedPath = 'test/pinned.txt';

export const taskLetters: readonly string[] = 'abcdefgh'.split('');

export function planTask(random: Random, index: number): Task {
  const id = `t${taskLetters[index] ?? 'z'}`;
  const earlier = Array.from({ length: index }, (_, one) => `t${taskLetters[one] ?? 'z'}`);
  return {
    id,
    title: `Task ${id}`,
    description: `make ${id}`,
    files: [],
    hints: [],
    dependsOn: earlier.filter(() => random.chance(0.35)),
    domain: null,
    criteria: planCriteria(random, id),
    mayChange: random.chance(0.08) ? [pinnedPath] : [],
  };
}

function planCriteria(random: Random, taskId: string): Criterion[] {
  const criterion = (id: string): Criterion => taskCriterion(id, taskId);
  const reviewer = (role: string): Criterion => ({ ...criterion(role), check: { kind: 'reviewer', role } });
  const reviewers = [reviewer('verifier'), ...(random.chance(0.4) ? [reviewer('security')] : [])];
  const kind = random.weighted([
    [6, 'none'],
    [10, 'reviewer'],
    [84, 'commands'],
  ] as const);
  if (kind === 'none') return [];
  if (kind === 'reviewer') return reviewers;
  const criteria = [criterion('works')];
  if (random.chance(0.3)) criteria.push(criterion('part'));
  if (random.chance(0.4)) criteria.push(criterion('guard'));
  if (random.chance(0.25)) criteria.push({ ...criterion('slow'), when: 'acceptance' });
  if (random.chance(0.1)) criteria.push({ ...criterion('nice'), required: false });
  if (random.chance(0.08)) criteria.push({ ...criterion('entry'), kind: 'entry' });
  if (random.chance(0.08)) criteria.shift();
  if (random.chance(0.45)) criteria.push(...reviewers);
  if (random.chance(0.08))
    criteria.push({ ...criterion('person'), check: { kind: 'human', question: 'is it good?' } });
  return criteria;
}

export function taskCriterion(id: string, taskId: string): Criterion {
  const run = `check ${id} ${taskId}`;
  return commandCriterion(id, { check: { kind: 'command', run, cwd: '', timeoutMs: 60_000 } });
}
