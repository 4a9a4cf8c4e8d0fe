import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { ActionState } from './action.ts';
import { hypothesesOf, mergeState, plainUpdates, tasksOf } from './action-state.ts';

const task = { id: 't1', title: 'parse', status: 'pending' };
const hypothesis = { id: 'h1', text: 'the cache is stale', evidence: 'log line 3', status: 'confirmed' };

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

describe('The state of a loop', () => {
  it('An update replaces the keys that it names, null removes a key, and the others stay [A2]', () => {
    const state = { a: 1, b: { c: 2 }, d: 3 };
    expect(mergeState(state, { b: [1], d: null, e: 'new', f: null })).toEqual({
      state: { a: 1, b: [1], e: 'new' },
      problems: [],
    });
    expect(state).toEqual({ a: 1, b: { c: 2 }, d: 3 });
  });

  it.each(['loop_id', 'status', 'mode', 'current_iteration', 'max_iterations', 'updated_at', 'skill_state'])(
    'An update of %s, which the loop itself uses, is refused, and the other keys are kept [A2]',
    (key) => {
      const expected = {
        state: { mine: 1 },
        problems: [`state_updates.${key} is a name that the loop uses itself; choose another key.`],
      };
      expect(mergeState({}, { [key]: 'completed', mine: 1 })).toEqual(expected);
      expect(mergeState({}, { [key]: null, mine: 1 })).toEqual(expected);
    },
  );

  it('Names that reach the prototype of objects are dropped at every level [A2]', () => {
    const updates = JSON.parse(
      '{"__proto__":{"x":1},"constructor":1,"prototype":2,"a":{"__proto__":{"x":1},"b":[{"constructor":{},"c":1}]}}',
    ) as ActionState;
    const { state, problems } = mergeState({}, updates);
    expect(problems).toEqual([]);
    expect(JSON.stringify(state)).toBe('{"a":{"b":[{"c":1}]}}');
    expect(Object.getPrototypeOf(state)).toBe(Object.prototype);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('A value is kept down to eight levels, the state included; a deeper one keeps its old value [A2]', () => {
    expect(mergeState({}, { a: nested(7) })).toEqual({ state: { a: nested(7) }, problems: [] });
    const problem = 'state_updates.a is nested more than 8 levels deep; make it flatter.';
    expect(mergeState({ a: 1 }, { a: nested(8), b: 2 })).toEqual({
      state: { a: 1, b: 2 },
      problems: [problem],
    });
    expect(mergeState({ a: 1 }, { a: nested(100_000) })).toEqual({ state: { a: 1 }, problems: [problem] });
    expect(plainUpdates({ a: nested(7) }).kind).toBe('value');
    expect(plainUpdates({ a: nested(8) }).kind).toBe('problem');
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(mergeState({}, { circle }).state).toEqual({});
  });

  it('A state of more than 64 KB is refused as a whole, and the old one stays [A2]', () => {
    const full = { a: 'x'.repeat(40_000) };
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1]));
    for (const updates of [
      { b: 'y'.repeat(40_000), c: 1 },
      { b: 'é'.repeat(20_000) },
      { b: '"'.repeat(20_000) },
      { b: 'z'.repeat(50_000_000) },
      many,
    ]) {
      const { state, problems } = mergeState(full, updates);
      expect(state).toBe(full);
      expect(problems).toEqual([expect.stringContaining('larger than 64 KB of JSON')]);
    }
    expect(mergeState(full, { a: null, b: 'y'.repeat(40_000) })).toEqual({
      state: { b: 'y'.repeat(40_000) },
      problems: [],
    });
  });

  it('A state of exactly 64 KB is kept, and one byte more is not [A2]', () => {
    const fits = { a: 'x'.repeat(64 * 1024 - '{"a":""}'.length) };
    expect(mergeState({}, fits)).toEqual({ state: fits, problems: [] });
    expect(plainUpdates(fits).kind).toBe('value');
    expect(mergeState({}, { a: `${fits.a}x` }).state).toEqual({});
    expect(plainUpdates({ a: `${fits.a}x` }).kind).toBe('problem');
  });

  it('Many problems become a few sentences [A2]', () => {
    const updates = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, nested(9)]));
    expect(mergeState({}, updates).problems).toHaveLength(10);
  });

  it('Updates that are no object, or hold a value that is no JSON, are a problem [A2]', () => {
    for (const value of [null, [], 'x', 3, undefined]) expect(plainUpdates(value).kind).toBe('problem');
    for (const value of [undefined, NaN, Infinity, 1n, () => 1, Symbol('s')])
      expect(mergeState({ a: 1 }, { a: value })).toEqual({
        state: { a: 1 },
        problems: ['state_updates.a holds a value that is no JSON.'],
      });
  });

  it('Any updates give a state within the limits that reads back from JSON as it is [A2]', () => {
    const isKept = countReached('an update that is kept', { floor: 0.3 });
    const isRefused = countReached('an update with a problem', { floor: 0.1 });
    const key = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom('__proto__', 'constructor', 'status', 'tasks', 'hypotheses', 'a'),
    );
    const deep = fc.integer({ min: 1, max: 12 }).map(nested);
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      deep,
      fc.constant([task]),
      fc.constant([hypothesis]),
    );
    const updates = fc
      .array(fc.tuple(key, value), { maxLength: 6 })
      .map((pairs) => Object.fromEntries(pairs));
    assertProperty(
      fc.property(fc.array(updates, { maxLength: 4 }), (all) => {
        let state: ActionState = {};
        for (const one of all) {
          const merged = mergeState(state, one);
          if (merged.problems.length > 0) isRefused.mark();
          if (JSON.stringify(merged.state) !== JSON.stringify(state)) isKept.mark();
          state = merged.state;
        }
        const json = JSON.stringify(state);
        expect(JSON.stringify(JSON.parse(json))).toBe(json);
        expect(json).not.toMatch(/"(?:__proto__|constructor|prototype)":/);
        expect(Object.keys(state)).not.toContain('status');
        expect(mergeState({}, state)).toEqual({ state, problems: [] });
      }),
      { numRuns: 500, reaches: [isKept, isRefused] },
    );
  });
});

describe('Tasks and hypotheses', () => {
  it('Well-formed tasks and hypotheses are read back without unknown fields [A2]', () => {
    const open = { id: 'h2', text: 'a race', status: 'open' };
    const updates = { tasks: [{ ...task, note: 1 }], hypotheses: [hypothesis, open] };
    const { state, problems } = mergeState({}, updates);
    expect(problems).toEqual([]);
    expect(tasksOf(state)).toEqual([task]);
    expect(hypothesesOf(state)).toEqual([hypothesis, { ...open, evidence: '' }]);
    expect(state['tasks']).toEqual([{ ...task, note: 1 }]);
  });

  it.each<[string, ActionState, string]>([
    ['tasks that are no list', { tasks: {} }, 'tasks is no list.'],
    ['a task that is no object', { tasks: ['x'] }, 'tasks[0] is no object.'],
    [
      'an unknown status of a task',
      { tasks: [task, { ...task, id: 't2', status: 'completed' }] },
      'tasks[1].status is "completed"; use one of pending, in_progress, done.',
    ],
    ['a task without a title', { tasks: [{ ...task, title: ' ' }] }, 'tasks[0].title is " "; write a text.'],
    [
      'a task with a number as id',
      { tasks: [{ ...task, id: 1 }] },
      'tasks[0].id is of the type number; write a text.',
    ],
    [
      'two tasks with one id',
      { tasks: [task, task] },
      'tasks[1].id is "t1", which an earlier entry has too.',
    ],
    [
      'an unknown status of a hypothesis',
      { hypotheses: [{ ...hypothesis, status: 'maybe' }] },
      'hypotheses[0].status is "maybe"; use one of open, confirmed, rejected.',
    ],
    [
      'a confirmed hypothesis without evidence',
      { hypotheses: [{ id: 'h1', text: 'a race', status: 'confirmed' }] },
      'hypotheses[0].evidence is missing; write a text.',
    ],
    [
      'a rejected hypothesis with empty evidence',
      { hypotheses: [{ ...hypothesis, status: 'rejected', evidence: '' }] },
      'hypotheses[0].evidence is ""; write a text.',
    ],
    [
      'a hypothesis without a text',
      { hypotheses: [{ ...hypothesis, text: null }] },
      'hypotheses[0].text is null; write a text.',
    ],
  ])('An update with %s is refused, and the old list stays [A2]', (_, updates, problem) => {
    const old = { tasks: [task], hypotheses: [hypothesis] };
    expect(mergeState(old, updates)).toEqual({ state: old, problems: [`state_updates.${problem}`] });
  });

  it('A state without valid lists has no tasks and no hypotheses [A2]', () => {
    expect(tasksOf({})).toEqual([]);
    expect(hypothesesOf({ hypotheses: 'none' })).toEqual([]);
    expect(tasksOf({ tasks: [task, { ...task, id: 't2', status: 'lost' }] })).toEqual([]);
    expect(tasksOf(mergeState({ tasks: [task] }, { tasks: null }).state)).toEqual([]);
  });

  it('A long list of broken tasks gives five sentences [A2]', () => {
    const tasks = Array.from({ length: 100 }, () => ({}));
    expect(mergeState({}, { tasks }).problems).toHaveLength(5);
  });
});
