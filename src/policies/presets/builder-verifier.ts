// One task, a fresh builder, our checks, a fresh verifier; again with what failed.
import type { Criterion } from '#kernel/criterion.ts';
import { buildThenReview } from '#policies/looping/build-then-review.ts';
import { builderTemplate } from '#policies/prompts/builder-template.ts';
import { verifierTemplate } from '#policies/prompts/verifier-template.ts';
import type { Preset } from './index.ts';

const verifierCriterion: Criterion = {
  id: 'verifier',
  text: 'a verifier that did not do the work finds nothing wrong with it',
  kind: 'exit',
  required: true,
  when: 'attempt',
  check: { kind: 'reviewer', role: 'verifier' },
};

export const builderVerifier: Preset = {
  name: 'builder-verifier',
  roles: {
    builder: {
      prompt: builderTemplate,
      words: { done: '===WIGGUM_COMPLETE===', reportTag: null },
      readOnly: false,
    },
    verifier: {
      prompt: verifierTemplate,
      words: { done: '===VERIFIER_COMPLETE===', reportTag: 'verifier-report' },
      readOnly: true,
    },
  },
  // The seed's own numbers: WIGGUM_MAX_LOOPS and WIGGUM_COOLDOWN_SECONDS.
  limits: { attemptsMax: 20, cooldownMs: 2000 },
  policy: buildThenReview,
  tasks: ({ goal, checks, mayChange }) => [
    {
      id: 'main',
      title: titleOf(goal),
      description: goal,
      files: [],
      hints: [],
      dependsOn: [],
      domain: null,
      criteria: [...checks, verifierCriterion],
      mayChange,
    },
  ],
};

/** The first line that says something, as a person would shorten it. */
function titleOf(goal: string): string {
  const line =
    goal
      .split('\n')
      .map((one) => one.replace(/^#+\s*/, '').trim())
      .find((one) => one !== '') ?? 'work';
  return line.length <= 72 ? line : `${line.slice(0, 71).trimEnd()}…`;
}
