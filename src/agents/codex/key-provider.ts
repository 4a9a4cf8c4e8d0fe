// Makes codex pay with a key from the environment: the app-server reads none, `codex exec` only
// CODEX_API_KEY. A login by key would write the key into the user's own settings.
import type { CodexOptions } from './codex-options.ts';

type Environment = { readonly [name: string]: string };

/** An agent sees a key only if that key pays. */
const keys = ['CODEX_API_KEY', 'OPENAI_API_KEY'];
const providerName = 'untildone-openai';
const address = 'https://api.openai.com/v1';

export function keyIn(env: Environment): string | null {
  return keys.find((name) => (env[name] ?? '') !== '') ?? null;
}

/** Settings that make codex talk to OpenAI with the key in this variable. */
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
