// The planning roles: an architect that plans well or badly, a reflector that reports drift or gives no verdict, and a person who reads a plan.
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { SessionOperation, Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Planner } from '#ports/planner.ts';
import type { Behaviour } from './agent.ts';
import { endingOf } from './agent.ts';
import type { Draft } from './campaign.ts';
import { draftPlan } from './campaign.ts';
import { withTree } from './tree.ts';
import type { Incarnation, Universe } from './universe.ts';
import { call, forbid } from './universe.ts';

export function think(
  universe: Universe,
  step: Step & { readonly deed: SessionOperation },
  tree: string,
): Behaviour {
  const { random } = universe;
  const text = step.deed.role === 'architect' ? planText(universe) : reflectionText(universe);
  const signal: Signal | null = random.chance(0.08) ? null : { kind: 'report', text };
  return {
    durationMs: 20 + random.int(3000),
    costUsd: random.next() * step.reserve.usd,
    // Often enough that the run has to wait for a person when no other task is left.
    ending: random.chance(0.08) ? busy : endingOf(random),
    signal,
    // It was told to change nothing.
    endTree: random.chance(0.04) ? withTree(tree, { salt: 66 }) : tree,
  };
}

const busy: SessionEnding = { kind: 'failed', errorClass: 'overloaded', detail: 'busy' };

function planText(universe: Universe): string {
  const { random, ledger } = universe;
  const draft = draftPlan(universe);
  const [first, ...others] = draft.tasks;
  const [done] = ledger.view.landed;
  const mistake = random.weighted([
    [12, 'none'],
    [1, 'no JSON'],
    [1, 'nobody'],
    [1, 'done'],
  ] as const);
  if (mistake === 'no JSON') return 'I would rather not.';
  if (mistake === 'nobody' && first !== undefined)
    return JSON.stringify({ ...draft, tasks: [{ ...first, dependsOn: ['nobody'] }, ...others] });
  const again = done === undefined ? undefined : ledger.view.tasks.get(done);
  if (mistake === 'done' && again !== undefined)
    return JSON.stringify({ ...draft, tasks: [again, ...draft.tasks] });
  return JSON.stringify(draft);
}

function reflectionText({ random }: Universe): string {
  return random.weighted([
    [8, '{"aligned": true, "reason": "it serves"}'],
    [2, '{"aligned": false, "reason": "it does not"}'],
    [1, 'It is a fine piece of work.'],
  ]);
}

/** Reads the architect's prompt: the tasks that it calls done must be done. */
export function simulatedPlanner(universe: Universe, incarnation: Incarnation): Planner {
  return {
    survey: async () =>
      call(universe, incarnation, () => ({ map: 'the map', memory: 'what git remembers' }), {
        mayFail: true,
      }),
    settle: async ({ text, done, open }) =>
      call(universe, incarnation, () => {
        judgeDone(universe, done);
        const draft = read(text);
        const problems = draft === null ? ['there is no JSON in it'] : problemsOf(draft, done, open);
        if (draft === null || problems.length > 0) return { problems, tasks: [], dropped: [], notes: [] };
        return { problems: [], ...draft, notes: [] };
      }),
  };
}

function judgeDone(universe: Universe, told: readonly string[]): void {
  const { tasks, landed, skipped } = universe.ledger.view;
  const missing = [...tasks.keys()].find((id) => (landed.has(id) || skipped.has(id)) && !told.includes(id));
  forbid(universe, missing !== undefined, `nobody tells the planner that ${missing ?? ''} is done`);
}

function read(text: string): Draft | null {
  try {
    return JSON.parse(text) as Draft;
  } catch {
    return null;
  }
}

function problemsOf({ tasks, dropped }: Draft, done: readonly string[], open: readonly string[]): string[] {
  const names = new Set([...tasks.map(({ id }) => id), ...done]);
  const isWrong = ({ id, dependsOn }: Task): boolean =>
    done.includes(id) || dependsOn.some((other) => !names.has(other));
  if (tasks.length === 0) return ['the plan has no task'];
  return [
    ...tasks.filter(isWrong).map(({ id }) => `${id} is wrong`),
    ...dropped.filter(({ taskId }) => !open.includes(taskId)).map(({ taskId }) => `no ${taskId} to drop`),
  ];
}
