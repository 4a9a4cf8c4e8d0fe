// The preset `actions`: one task in one conversation. A person or the loop picks actions; our checks decide.
import { actionByAction } from '#policies/loops/actions/action-by-action.ts';
import { spawnTemplate } from '#policies/loops/actions/action-texts.ts';
import { defaultIterations } from '#policies/loops/actions/settings.ts';
import { builderVerifier, verifierRole } from './builder-verifier.ts';
import type { Preset } from './preset.ts';

export const actions: Preset = {
  ...builderVerifier,
  name: 'actions',
  roles: {
    builder: {
      prompt: spawnTemplate,
      words: { done: '===WIGGUM_COMPLETE===', reportTag: null, actions: true },
      readOnly: false,
    },
    verifier: verifierRole,
  },
  limits: { attemptsMax: defaultIterations, cooldownMs: 0 },
  actions: true,
  policy: actionByAction,
};
