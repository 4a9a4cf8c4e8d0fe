// The preset `campaign`: an architect plans, fresh builders work, a reflector watches the direction.
import { mainTask } from './main-task.ts';
import { campaignPolicy } from '#policies/planning/campaign.ts';
import { architectTemplate } from '#policies/prompts/architect-template.ts';
import { reflectorTemplate } from '#policies/prompts/reflector-prompt.ts';
import { taskTemplate } from '#policies/prompts/task-template.ts';
import type { Preset } from './preset.ts';

export const campaign: Preset = {
  name: 'campaign',
  roles: {
    architect: {
      prompt: architectTemplate,
      words: { done: '===PLAN_COMPLETE===', reportTag: 'plan' },
      readOnly: true,
    },
    builder: {
      prompt: taskTemplate,
      words: { done: '===TASK_COMPLETE===', reportTag: null, needsInput: '===NEEDS_INPUT===' },
      readOnly: false,
    },
    reflector: {
      prompt: reflectorTemplate,
      words: { done: '===REFLECTION_COMPLETE===', reportTag: 'reflection' },
      readOnly: true,
    },
  },
  // The first attempt and three retries.
  limits: { attemptsMax: 4, cooldownMs: 0 },
  planning: {
    // A wrong plan wastes the whole night.
    approval: 'person',
    // After three new plans, the goal itself is the problem.
    replansMax: 3,
    // An architect that cannot write a plan in three tries will not in a fourth.
    refusalsMax: 2,
    milestones: [25, 50, 75],
    // A tenth of a large context window: leaves room for the logs and for thinking.
    mapTokens: 16_000,
    architectSees: 'map',
    deadEnd: 'ask',
  },
  policy: campaignPolicy,
  // The plan brings the tasks; this one only holds the criteria of the whole.
  tasks: (input) => [mainTask(input, [...(input.criteria ?? []), ...input.checks])],
};
