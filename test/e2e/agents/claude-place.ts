// A place where Claude Code is the agent and a script is its model.
import type { Place, PlaceOptions } from '../place.ts';
import { claudeSdk, findClient } from './clients.ts';
import { makeConfiguredPlace } from './configured-place.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { call, say } from './model.ts';

export const claude = findClient('claude');

export type Via = 'cli' | 'sdk';

export interface ClaudePlaceOptions extends PlaceOptions {
  readonly model: Model;
  readonly via?: Via;
  readonly options?: { readonly [key: string]: unknown };
  readonly env?: { readonly [name: string]: string };
  readonly settings?: { readonly [key: string]: unknown };
}

export function claudePlace({
  model,
  via = 'cli',
  options,
  env,
  settings,
  ...rest
}: ClaudePlaceOptions): Place {
  return makeConfiguredPlace({
    ...rest,
    ...(settings && { settings }),
    agents: {
      claude: {
        driver: 'claude',
        ...claudeOptions(via),
        ...options,
        env: { ...claudeEnv(model), ...env },
      },
    },
  });
}

/** Consent as root, because these tests run in containers. */
export function claudeOptions(via: Via): { readonly [key: string]: unknown } {
  return {
    via,
    binary: claude.program,
    asRoot: 'allow',
    ...(via === 'sdk' && { sdk: claudeSdk }),
  };
}

export function claudeEnv(model: Model): { readonly [name: string]: string } {
  return {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-of-nobody',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

/** Told apart by what only the verifier's prompt holds. */
export function isVerifier({ text }: Asked): boolean {
  return text.includes('===VERIFIER_COMPLETE===');
}

export const builderDone = 'Done.\n\n===WIGGUM_COMPLETE===';
export const verifierDone = 'All of it holds.\n\n===VERIFIER_COMPLETE===';

/** Does the work with the tool that writes, says done, and is content as a verifier. */
export function honest(asked: Asked): ModelReply {
  if (isVerifier(asked)) return say(verifierDone);
  if (asked.results === 0) return call('Write', { file_path: 'done.txt', content: 'right\n' });
  return say(builderDone);
}

export const seesFile = ['--check', 'grep -q right done.txt'];
