// The default preset: a builder works, our checks run, a verifier tries to refute it; failures start another
// attempt. A preset is data: roles with prompts, limits, the tasks of a goal, and the policy that decides.
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

/** `words`: the signals to find in the output. Other presets share this role for reviewer criteria. */
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
  // `cooldownMs`: the pause between two attempts.
  limits: { attemptsMax: 20, cooldownMs: 2000 },
  policy: buildThenReview,
  tasks: (input) => [mainTask(input, [...(input.criteria ?? []), ...input.checks, verifierCriterion])],
};
