// The preflight items that only an action loop has.
import type { RunConfig } from '#kernel/model/config.ts';
import { durationWords } from '#base/duration-words.ts';
import type { PreflightItem } from '#views/preflight/preflight.ts';

/** `resumes`: whether the builder's client can continue a conversation. */
export function loopItems({ policy }: RunConfig, resumes: 'by-id' | 'where-offered' | 'no'): PreflightItem[] {
  const { actions } = policy;
  if (actions === undefined) return [];
  const who = actions.mode === 'auto' ? 'the loop chooses' : 'you choose';
  const time = durationWords(actions.turnTimeoutMs);
  return [
    {
      mark: 'ok',
      about: 'mode',
      text: `${actions.mode}: ${who} the next action; time limit of a turn: ${time}`,
    },
    { mark: 'ok', about: 'talks', text: conversation[resumes] },
  ];
}

const conversation = {
  'by-id': 'one conversation, resumed in each turn',
  'where-offered':
    'one conversation where the agent can resume it, else emulated: a fresh session in each turn',
  no: 'emulated: a fresh session in each turn, with the state, the last results and the changes',
};
