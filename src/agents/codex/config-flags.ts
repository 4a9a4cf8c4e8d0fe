// Codex's own settings on its command line, and the few that we set unless the user did.
import type { CodexOptions } from './codex-options.ts';

/** The kernel retries by error class; a client that retries by itself only hides errors. */
export const providerLimits: { readonly [key: string]: number } = {
  request_max_retries: 1,
  stream_max_retries: 1,
  /** By default codex waits five minutes in a silent stream and then retries. */
  stream_idle_timeout_ms: 180_000,
};

/** The built-in providers of codex; their limits cannot be set. */
const builtIn = ['openai', 'oss', 'ollama', 'ollama-chat', 'lmstudio', 'amazon-bedrock'];

export function configFlags(config: CodexOptions['config']): string[] {
  const ours = { check_for_update_on_startup: false };
  return Object.entries({ ...ours, ...config }).flatMap(([key, value]) => ['-c', `${key}=${toml(value)}`]);
}

/** Retry limits for the chosen provider of this configuration, where it sets none. */
export function limitsOf(
  provider: unknown,
  settings: { readonly [key: string]: unknown },
): CodexOptions['config'] {
  if (typeof provider !== 'string' || builtIn.includes(provider)) return {};
  const open = Object.entries(providerLimits).filter(([key]) => (settings[key] ?? null) === null);
  return Object.fromEntries(open.map(([key, value]) => [`model_providers.${provider}.${key}`, value]));
}

/** The settings of a provider, from dotted keys or from a whole table. */
export function settingsOf(config: CodexOptions['config'], provider: unknown): CodexOptions['config'] {
  const path = `model_providers.${String(provider)}`;
  const dotted = Object.entries(config).filter(([key]) => key.startsWith(`${path}.`));
  const found = dotted.map(([key, value]) => [key.slice(path.length + 1), value] as const);
  const table = config[path];
  const whole = typeof table === 'object' && table !== null ? Object.entries(table) : [];
  return Object.fromEntries([...whole, ...found]);
}

function toml(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${toml(one)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  return String(value);
}
