// All presets by name: data plus a pure policy, for one engine.
import { actions } from './actions.ts';
import { builderVerifier } from './builder-verifier.ts';
import { campaign } from './campaign.ts';
import { criteria } from './criteria.ts';
import { queue } from './queue.ts';
import type { Preset } from './preset.ts';

export const presets: { readonly [name: string]: Preset } = {
  'builder-verifier': builderVerifier,
  criteria,
  campaign,
  queue,
  actions,
};
