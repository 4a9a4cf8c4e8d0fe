// Describes each fact of planning in one line.
import type { PlanFact } from '#kernel/events/plan-facts.ts';
import type { PlanEvent } from '#kernel/planning/plan-state.ts';
import type { EventSentences } from '#views/lines/event-sentences.ts';
import { count, shortened, utc } from '#views/words.ts';

export const planSentences: EventSentences<PlanFact['type']> = {
  'plan-wanted': ({ cause, why }) =>
    cause === 'start' ? 'a plan is needed' : `a new plan is needed: ${shortened(why, 300)}`,
  'plan-refused': ({ problems }) =>
    `the architect's answer is not a usable plan: ${shortened(problems.join('; '), 300)}`,
  'plan-given-up': ({ why }) => `continuing without a new plan: ${shortened(why, 300)}`,
  'plan-proposed': ({ proposal: { version, tasks, dropped, why } }) => {
    const without = dropped.length === 0 ? '' : `, without ${dropped.map(({ taskId }) => taskId).join(', ')}`;
    return `plan ${version} proposed: ${count(tasks.length, 'task')}${without}${why === '' ? '' : ` (${shortened(why, 600)})`}`;
  },
  'plan-approved': ({ version, by }) =>
    `plan ${version} approved by ${by}; it takes effect when the running task has ended`,
  'plan-adopted': ({ version, by }) => `plan ${version} in effect, by ${by}`,
  'plan-rejected': ({ version, by, why }) => `plan ${version} rejected by ${by}: ${shortened(why, 200)}`,
  'plan-delayed': ({ until, reason }) =>
    `usage limit reached while planning; waiting until ${utc(until)}: ${shortened(reason, 200)}`,
  'milestones-crossed': ({ percents }) => `${percents.at(-1) ?? 0} % of the tasks are done`,
  'drift-judged': (event) => {
    const reason = shortened(event.reason, 200);
    if (event.isAligned === null) return `the reflector's answer could not be read: ${reason}`;
    return event.isAligned ? `the work matches the goal: ${reason}` : `${driftTitle(event)} (${reason})`;
  },
};

export function driftTitle({ isDeadEnd }: PlanEvent & { type: 'drift-judged' }): string {
  if (isDeadEnd === true) return 'Campaign drifted from goal, and no new plan is left';
  return 'Campaign drifted from goal. Re-planning...';
}
