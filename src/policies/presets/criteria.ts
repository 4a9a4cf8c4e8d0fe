// One task, criterion by criterion: take one, implement it, look with our own eyes, next. Nobody leaves before all of them pass.
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
    // Works only where a criterion asks for a reviewer.
    verifier: verifierRole,
  },
  // Attempts are limited by `loops`: retries of a criterion, passes over all of them.
  limits: { attemptsMax: attemptsWithLoops, cooldownMs: 0 },
  loops: defaultLoops,
  policy: criterionByCriterion,
  tasks: (input) => [mainTask(input, [...(input.criteria ?? []), ...input.checks])],
} satisfies Preset;
