// Plans, queues, loops over criteria, and the answers of reviewers.
import type { Fault } from '../fault.ts';

export const planningFaults: readonly Fault[] = [
  {
    id: 'verdict-contradiction',
    breaks: 'Of two contradicting verdicts the last one counts.',
    file: 'src/policies/signals/verdict-reader.ts',
    symbol: 'findVerdict',
    find: 'verdicts.some((one) => one?.verdict !== last.verdict)',
    replace: 'false',
    test: {
      file: 'src/policies/signals/verdict-reader.test.ts',
      title: 'A contradictory or broken verdict does not count: %s [Q10]',
    },
  },
  {
    id: 'verdict-quoted',
    breaks: 'A verdict that is only quoted in a code block counts.',
    file: 'src/policies/signals/verdict-reader.ts',
    symbol: 'blocksOf',
    find: 'begin !== null && !fences.isOpen()',
    replace: 'begin !== null',
    test: {
      file: 'src/policies/signals/verdict-reader.test.ts',
      title: 'A verdict that is quoted in %s does not count [Q10] [B3]',
    },
  },
  {
    id: 'crash-retries-forever',
    breaks: 'A client that crashes at once is started without end.',
    file: 'src/policies/loops/task-after-task.ts',
    symbol: 'tooManyCrashes',
    find: 'crashes <= crashRetries',
    replace: 'crashes >= 0',
    test: {
      file: 'src/policies/loops/task-after-task.test.ts',
      title:
        'A crashed session is retried a limited number of times, then the task fails and the queue continues [Q6]',
    },
  },
  {
    id: 'queue-goes-on',
    breaks: 'A queue that must stop at a failure goes on.',
    file: 'src/policies/loops/task-after-task.ts',
    symbol: 'stopAtFailure',
    find: "settingsOf(run).onFailure !== 'stop'",
    replace: 'true',
    test: {
      file: 'src/policies/loops/task-after-task.test.ts',
      title: 'A queue with onFailure %s behaves accordingly after a failed task [Q6]',
    },
  },
  {
    id: 'regression-unseen',
    breaks: 'A criterion that passed and broke again stays passed.',
    file: 'src/policies/loops/judge-criterion.ts',
    symbol: 'passedAndBroken',
    find: 'if (passed.has(criterionId) && !isLeftOpen(evidence))',
    replace: 'if (passed.has(""))',
    test: {
      file: 'src/policies/loops/criterion-by-criterion.test.ts',
      title: 'A criterion that passed before and fails now is reopened in the next pass [K9]',
    },
  },
  {
    id: 'criterion-retries-forever',
    breaks: 'One criterion is tried without end.',
    file: 'src/policies/loops/open-criteria.ts',
    symbol: 'pickCriterion',
    find: '(failures.get(id)?.count ?? 0) < maxRetries',
    replace: 'true || maxRetries',
    test: {
      file: 'src/policies/loops/criterion-by-criterion.test.ts',
      title:
        'The loop works on the other criteria when one is used up, and ends as exhausted, never completed [K3] [K4]',
    },
  },
  {
    id: 'iterations-forever',
    breaks: 'Passes over all criteria go on without end.',
    file: 'src/policies/loops/criterion-by-criterion.ts',
    symbol: 'workNext',
    find: 'iteration >= maxIterations',
    replace: 'iteration < 0',
    test: {
      file: 'src/policies/loops/criterion-by-criterion.test.ts',
      title:
        'Passes over all criteria are counted: a criterion that breaks another one ends at the last pass [K4] [K9]',
    },
  },
  {
    id: 'plan-unapproved',
    breaks: 'A plan that a person must approve comes into force by itself.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'planNext',
    find: "if (planning.approval === 'nobody') return",
    replace: 'if (planning.approval !== undefined) return',
    test: {
      file: 'src/policies/planning/new-plan.test.ts',
      title: 'A plan can be approved at any moment: it comes into force when the running task is over [C6]',
    },
  },
  {
    id: 'replans-forever',
    breaks: 'A task that cannot be done is planned anew without end.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'replanDue',
    find: 'run.plan.replans >= (run.config.policy.planning?.replansMax ?? 0)',
    replace: 'run.plan.replans < 0',
    test: {
      file: 'src/policies/fallbacks/next-attempt-by.test.ts',
      title: 'The fallbacks end at a person when no new plan is left',
    },
  },
  {
    id: 'failed-plan-again',
    breaks: 'A new plan may repeat what failed.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'judgeAnswer',
    find: 'if (unchanged.length > 0) return refuse(...unchanged);',
    replace: '',
    test: {
      file: 'src/policies/planning/campaign.test.ts',
      title: 'A new plan must change a failed task: a task before it or another approach is accepted [C6]',
    },
  },
  {
    id: 'architect-edits',
    breaks: 'The plan of an architect that edited files comes into force.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'judgeAnswer',
    find: 'if (result.endTree !== null && result.endTree !== tree)',
    replace: 'if (result.endTree === "")',
    test: {
      file: 'src/policies/planning/campaign-attacks.test.ts',
      title: 'An architect that changes files or hangs is refused with the reason [C1]',
    },
  },
  {
    id: 'goal-not-checked',
    breaks: 'The checks of the goal as a whole are never run.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'goalNext',
    find: 'if (run.tasks.has(goalTaskId)) return null;',
    replace: 'return null;',
    test: {
      file: 'src/policies/planning/campaign.test.ts',
      title: "The goal's own checks verify the whole, and no session is paid where they are green [X7]",
    },
  },
  {
    id: 'plan-takes-rules',
    breaks: 'A plan changes which pinned files a task may touch.',
    file: 'src/policies/planning/campaign.ts',
    symbol: 'underItsRules',
    find: 'if (before === undefined) return spec;',
    replace: 'return spec;',
    test: {
      file: 'src/policies/planning/new-plan.test.ts',
      title: "A person's priority survives a new plan, whether that plan names the task or not [C3] [Q5]",
    },
  },
  {
    id: 'marker-in-code',
    breaks: 'A completion marker in a code block ends the work.',
    file: 'src/policies/signals/marker-reader.ts',
    symbol: 'createMarkerReader',
    find: 'fences.length === 0 && ',
    replace: '',
    test: {
      file: 'src/policies/signals/signals.test.ts',
      title: 'The completion marker does not count %s [B3]',
    },
  },
  {
    id: 'marker-before-tool',
    breaks: 'A marker that was written before more work ends the work.',
    file: 'src/policies/signals/marker-reader.ts',
    symbol: 'createMarkerReader',
    find: 'onToolCall: (): void => {\n      isDone = false;',
    replace: 'onToolCall: (): void => {',
    test: {
      file: 'src/policies/signals/signals.test.ts',
      title: 'The completion marker counts only after the last tool call [B3]',
    },
  },
  {
    id: 'report-loses-to-marker',
    breaks: 'A verifier that reports failures and writes the marker passes the work.',
    file: 'src/policies/signals/signals.ts',
    symbol: 'readReport',
    find: "if (tagged !== null) return { kind: 'report', text: tagged };\n      if (marker.isDone()) return { kind: 'done' };",
    replace:
      "if (marker.isDone()) return { kind: 'done' };\n      if (tagged !== null) return { kind: 'report', text: tagged };",
    test: {
      file: 'src/policies/signals/signals.test.ts',
      title: 'A report overrides the marker, whichever comes first [B5]',
    },
  },
  {
    id: 'soft-criterion-waits',
    breaks: 'With --yes a run parks in the night for a criterion that only a person can decide.',
    file: 'src/tasks/plan-task.ts',
    symbol: 'settleSoft',
    find: "(isApproved && kind === 'exit')",
    replace: "(kind === 'exit')",
    test: {
      file: 'src/app/plan/planner.test.ts',
      title: 'Without approval, a soft criterion is left out with a note [C1]',
    },
  },
  {
    id: 'drift-check-at-the-end',
    breaks: 'A reflector is paid after the last task, when no work is left to correct.',
    file: 'src/policies/planning/milestones.ts',
    symbol: 'newlyCrossed',
    find: 'landed >= all || landed <= plan.reflectedAt',
    replace: 'landed <= plan.reflectedAt',
    test: {
      file: 'src/policies/planning/campaign.test.ts',
      title:
        'No drift check is paid for after the last task, and none before the task of the goal itself [C7]',
    },
  },
  {
    id: 'drift-check-twice',
    breaks: 'A shorter plan brings a second drift check although no further task has landed.',
    file: 'src/policies/planning/milestones.ts',
    symbol: 'newlyCrossed',
    find: 'landed >= all || landed <= plan.reflectedAt',
    replace: 'landed >= all',
    test: {
      file: 'src/policies/planning/campaign.test.ts',
      title: 'A shorter plan or a skipped task brings no second drift check for the same landed task [C7]',
    },
  },
];
