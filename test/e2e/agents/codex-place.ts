// A place where Codex is the agent and a script is its model.
import type { Place, PlaceOptions } from '../place.ts';
import { until } from '../wait.ts';
import { findClient } from './clients.ts';
import { makeConfiguredPlace } from './configured-place.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { call, say } from './model.ts';

export const codex = findClient('codex');

export type Via = 'app-server' | 'exec';

export interface CodexPlaceOptions extends PlaceOptions {
  readonly model: Model;
  readonly via?: Via;
  readonly options?: { readonly [key: string]: unknown };
  readonly config?: { readonly [key: string]: unknown };
  readonly env?: { readonly [name: string]: string };
  readonly settings?: { readonly [key: string]: unknown };
}

export function codexPlace({
  model,
  via,
  options,
  config,
  env,
  settings,
  ...rest
}: CodexPlaceOptions): Place {
  return makeConfiguredPlace({
    ...rest,
    ...(settings && { settings }),
    agents: {
      codex: {
        driver: 'codex',
        binary: codex.program,
        ...(via && { via }),
        ...options,
        config: { ...provider(model), ...config },
        env: { SCRIPTED_KEY: 'sk-of-nobody', ...env },
      },
    },
  });
}

/** A provider of its own, and nothing that calls home. */
function provider(model: Model): { readonly [key: string]: unknown } {
  return {
    model: 'scripted-model',
    model_provider: 'scripted',
    'model_providers.scripted.name': 'scripted',
    'model_providers.scripted.base_url': `${model.url}/v1`,
    'model_providers.scripted.wire_api': 'responses',
    'model_providers.scripted.env_key': 'SCRIPTED_KEY',
    'analytics.enabled': false,
    'features.plugins': false,
    'features.apps': false,
  };
}

/** Told apart by what only the verifier's prompt holds. */
export function isVerifier({ text }: Asked): boolean {
  return text.includes('===VERIFIER_COMPLETE===');
}

export function shell(cmd: string, more: object = {}): ModelReply {
  return call('exec_command', { cmd, ...more });
}

/** Does the work in the shell, says done, and is content as a verifier. */
export function honest(asked: Asked): ModelReply {
  if (isVerifier(asked)) return say('All of it holds.\n\n===VERIFIER_COMPLETE===');
  if (asked.results === 0) return shell('echo right > done.txt');
  return say('Done.\n\n===WIGGUM_COMPLETE===');
}

export const task = ['run', 'write done.txt', '--agent', 'codex', '--check', 'grep -q right done.txt'];

/** A command that is still running when the test does what it does. */
export const longWork = shell('sleep 600', { yield_time_ms: 30_000 });

/** Until the command of a session runs. */
export async function worksLong(place: Place, command = 'sleep 600'): Promise<void> {
  await until(`"${command}"`, () => place.living().some((one) => one.command === command));
}
