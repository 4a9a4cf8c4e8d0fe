// Facts of planning, each in a line.
import { shortened, utc } from '#views/words.ts';
import type { PlanEvent } from '#kernel/planning/plan-state.ts';

export function describePlanEvent(event: PlanEvent): string {
  switch (event.type) {
    case 'plan-wanted':
      return event.cause === 'start'
        ? 'a plan is wanted'
        : `a new plan is wanted: ${shortened(event.why, 300)}`;
    case 'plan-refused':
      return `the architect's answer is no usable plan: ${shortened(event.problems.join('; '), 300)}`;
    case 'plan-given-up':
      return `going on without a new plan: ${shortened(event.why, 300)}`;
    case 'plan-proposed': {
      const { version, tasks, dropped, why } = event.proposal;
      const without =
        dropped.length === 0 ? '' : `, without ${dropped.map(({ taskId }) => taskId).join(', ')}`;
      return `plan ${version} proposed: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}${without}${why === '' ? '' : ` (${shortened(why, 600)})`}`;
    }
    case 'plan-approved':
      return `plan ${event.version} approved by ${event.by}; in force when the task under way is over`;
    case 'plan-adopted':
      return `plan ${event.version} in force, by ${event.by}`;
    case 'plan-rejected':
      return `plan ${event.version} rejected by ${event.by}: ${shortened(event.why, 200)}`;
    case 'plan-delayed':
      return `usage limit reached while planning; waiting until ${utc(event.until)}: ${shortened(event.reason, 200)}`;
    case 'milestones-crossed':
      return `${event.percents.at(-1) ?? 0} % of the tasks are done`;
    case 'drift-judged': {
      const reason = shortened(event.reason, 200);
      if (event.isAligned === null) return `the reflector's answer could not be read: ${reason}`;
      return event.isAligned ? `the work serves the goal: ${reason}` : `${driftTitle(event)} (${reason})`;
    }
  }
}

export function driftTitle({ isDeadEnd }: PlanEvent & { type: 'drift-judged' }): string {
  if (isDeadEnd === true) return 'Campaign drifted from goal, and no new plan is left';
  return 'Campaign drifted from goal. Re-planning...';
}
