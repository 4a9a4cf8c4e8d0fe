// One task, a fresh builder, our checks, a fresh verifier; again with what failed.
import type { Criterion } from '#kernel/model/criterion.ts';
import { buildThenReview } from '#policies/loops/build-then-review.ts';
import { builderTemplate } from '#policies/prompts/builder-template.ts';
import { verifierTemplate } from '#policies/prompts/verifier-template.ts';
import { mainTask } from './main-task.ts';
import type { Preset, PresetRole } from './preset.ts';

const verifierCriterion: Criterion = {
  id: 'verifier',
  text: 'a verifier that did not do the work finds nothing wrong with it',
  kind: 'exit',
  required: true,
  when: 'attempt',
  check: { kind: 'reviewer', role: 'verifier' },
};

/** Also for other presets, where a criterion asks for a reviewer. */
export const verifierRole: PresetRole = {
  prompt: verifierTemplate,
  words: { done: '===VERIFIER_COMPLETE===', reportTag: 'verifier-report' },
  readOnly: true,
};

export const builderVerifier: Preset = {
  name: 'builder-verifier',
  roles: {
    builder: {
      prompt: builderTemplate,
      words: { done: '===WIGGUM_COMPLETE===', reportTag: null, needsInput: '===NEEDS_INPUT===' },
      readOnly: false,
    },
    verifier: verifierRole,
  },
  // The seed's own numbers: WIGGUM_MAX_LOOPS and WIGGUM_COOLDOWN_SECONDS.
  limits: { attemptsMax: 20, cooldownMs: 2000 },
  policy: buildThenReview,
  tasks: (input) => [mainTask(input, [...(input.criteria ?? []), ...input.checks, verifierCriterion])],
};
