// From a goal to a plan to proven tasks: an architect plans, fresh builders work, a reflector watches the direction.
import type { Preset } from './index.ts';
import { campaignPolicy } from '#policies/planning/campaign.ts';
import { architectTemplate } from '#policies/prompts/architect-template.ts';
import { reflectorTemplate } from '#policies/prompts/reflector-prompt.ts';
import { workerTemplate } from '#policies/prompts/worker-template.ts';

export const campaign: Preset = {
  name: 'campaign',
  roles: {
    architect: {
      prompt: architectTemplate,
      words: { done: '===PLAN_COMPLETE===', reportTag: 'plan' },
      readOnly: true,
    },
    builder: {
      prompt: workerTemplate,
      words: { done: '===TASK_COMPLETE===', reportTag: null },
      readOnly: false,
    },
    reflector: {
      prompt: reflectorTemplate,
      words: { done: '===REFLECTION_COMPLETE===', reportTag: 'reflection' },
      readOnly: true,
    },
  },
  // The seed's three retries after the first try.
  limits: { attemptsMax: 4, cooldownMs: 0 },
  policy: campaignPolicy,
  // They come from the plan.
  tasks: () => [],
};
