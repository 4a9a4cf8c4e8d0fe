// The preset `criteria`: one task, criterion by criterion, each checked by us. It ends when all of them pass.
import { attemptsWithLoops } from '#kernel/fold/loop.ts';
import { criterionByCriterion } from '#policies/loops/criterion-by-criterion.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { criterionTemplate } from '#policies/prompts/criterion-template.ts';
import { verifierRole } from './builder-verifier.ts';
import { mainTask } from './main-task.ts';
import type { Preset } from './preset.ts';

export const criteria = {
  name: 'criteria',
  roles: {
    builder: {
      prompt: criterionTemplate,
      words: { done: '===WIGGUM_COMPLETE===', reportTag: null, needsInput: '===NEEDS_INPUT===' },
      readOnly: false,
    },
    // Used only if a criterion asks for a reviewer.
    verifier: verifierRole,
  },
  // `loops` limits the attempts: retries of a criterion, passes over all of them.
  limits: { attemptsMax: attemptsWithLoops, cooldownMs: 0 },
  loops: defaultLoops,
  policy: criterionByCriterion,
  tasks: (input) => [mainTask(input, [...(input.criteria ?? []), ...input.checks])],
} satisfies Preset;
