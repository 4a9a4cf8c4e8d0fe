// A key in the environment pays. The app-server reads none and `codex exec` only CODEX_API_KEY, so each is shown its way to it;
// a login by the key would write it into the user's own settings.
import type { CodexOptions } from './codex-options.ts';

type Environment = { readonly [name: string]: string };

/** An agent sees a key only if it is the one that pays. */
const keys = ['CODEX_API_KEY', 'OPENAI_API_KEY'];
const providerName = 'untildone-openai';
const address = 'https://api.openai.com/v1';

export function keyIn(env: Environment): string | null {
  return keys.find((name) => (env[name] ?? '') !== '') ?? null;
}

/** Settings under which codex talks to OpenAI with the key of this variable. */
export function keyProvider(variable: string, env: Environment): CodexOptions['config'] {
  const path = `model_providers.${providerName}`;
  return {
    model_provider: providerName,
    [`${path}.name`]: 'OpenAI, by key',
    [`${path}.base_url`]: env['OPENAI_BASE_URL'] ?? address,
    [`${path}.wire_api`]: 'responses',
    [`${path}.env_key`]: variable,
  };
}

export function withExecKey(env: Environment): Environment {
  const variable = keyIn(env);
  return variable === null ? env : { ...env, CODEX_API_KEY: env[variable] ?? '' };
}
