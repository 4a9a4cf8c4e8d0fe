// What must have happened in the campaign, with every agent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { History } from './campaign-life.ts';
import { eventsOf, startedSteps } from './journal.ts';
import { newestRun, prompts, viewsOf } from './looking.ts';
import type { Place } from './place.ts';

/** Of the person's own plan that came after it. */
export async function expectBlocked(place: Place, history: History): Promise<void> {
  const why = /^F2 waits for F1; F1 failed: all 2 attempts were used/;
  expect(history.end).toEqual([{ outcome: 'blocked', reason: expect.stringMatching(why) as string }]);
  expect(history.commits.map((line) => line.replace(/ \w+$/, ''))).toEqual(['feat(F3): Say thanks']);
  expect(history.tasks).toEqual(['F1 failed', 'F2 waiting', 'F3 landed']);
  expect((await place.untildone(['status', newestRun(place)])).stdout).toMatch(
    /Ended: blocked \(F2 waits for F1; F1 failed/,
  );
  // Whatever a builder wrote into the views.
  const view = (name: string): object =>
    JSON.parse(readFileSync(join(viewsOf(place), name), 'utf8')) as object;
  expect(view('plan.json')).toMatchObject({ tasks: [{ status: 'failed' }, { status: 'waiting' }, {}] });
  expect(view('state.json')).toMatchObject({ outcome: { outcome: 'blocked' } });
}

export function expectStory(place: Place, history: History): void {
  expect(history.end).toMatchObject([{ outcome: 'completed' }]);
  expect(history.commits.map((line) => line.replace(/ \w+$/, ''))).toEqual([
    'feat(T1): Count words',
    'feat(T2): Most used words',
    'feat(T3): Count lines',
    'feat(T4): The command line',
    'feat(T6): Write how to use it',
    'feat(T8): Notes on the release',
    'feat(T9): Answer in JSON',
    'feat(T5b): Fold Latin letters',
  ]);
  expect(history.changes).toEqual([
    { added: ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8'], changed: [], dropped: [] },
    { added: ['T9'], changed: ['T8'], dropped: [{ taskId: 'T7', why: 'nobody asked for a game' }] },
    { added: ['T5b'], changed: [], dropped: [{ taskId: 'T5', why: 'the whole of Unicode is too much' }] },
  ]);
  expect(history.milestones).toEqual([25, 50, 75]);
  expect(history.reflections[1]).toBe('50 nobody asked for a game');
  expect(history.controls).toEqual(['approve-plan', 'approve-plan', 'approve-plan', 'approve']);
  // A session that was killed is run again: the same attempt, by the same hands.
  const hands = startedSteps(eventsOf(place)).flatMap(({ taskId, deed }) =>
    taskId === 'T5' && deed.kind === 'session' ? [`${deed.attempt} ${deed.agent.name}`] : [],
  );
  expect([...new Set(hands)]).toEqual(['1 one', '2 two', '3 three', '4 four']);
  const asked = prompts(place, 'architect');
  expect(asked[1]).toContain('in a circle: T1 → T2 → T1');
  expect(asked[2]).toContain('DRIFT DETECTED: nobody asked for a game');
  expect(asked[3]).toMatch(/T5 failed: all 4 attempts were used[^]*### T5 \(Fold letters\), 4 attempts/);
}
