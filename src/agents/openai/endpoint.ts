// Finds the address, key and headers for the requests of a session, once at the start.
import type { SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { OpenaiOptions } from './openai-options.ts';
import { type ProviderName, providers } from './facts.ts';
import { addressOf, describeDown, modelsAt, modelsMsMax } from './providers.ts';

export interface Endpoint {
  readonly provider: ProviderName | null;
  readonly baseUrl: string;
  readonly model: string;
  /** The variable that holds the key. */
  readonly keyName: string | null;
  readonly headers: { readonly [name: string]: string };
  /** True when its use costs nothing. */
  readonly isFree: boolean;
  /** Removes the key from a text before it is shown. */
  redact(text: string): string;
  /** The session's environment without the key: the one that commands see. */
  readonly commandEnv: { readonly [name: string]: string };
}

export async function findEndpoint(options: OpenaiOptions, request: SessionRequest): Promise<Endpoint> {
  const { provider, apiKeyEnv } = options;
  const { env } = request;
  const baseUrl = options.baseUrl ?? addressOf(provider ?? 'openai', env);
  const key = apiKeyEnv === null ? null : keyOf(apiKeyEnv, env);
  const headers = headersOf(options, env);
  const values = Object.keys(options.headers).map((name) => headers[name] ?? '');
  const secrets = [key, ...values].filter((one) => one !== null && one.length >= 8);
  const model = request.model ?? options.model ?? (await onlyModel(baseUrl, provider, headers));
  const isLocal = provider !== null && providers[provider].isLocal && isLoopback(baseUrl);
  return {
    provider,
    baseUrl,
    model,
    keyName: apiKeyEnv,
    headers,
    // Ollama also serves models that run in the cloud; their names say so.
    isFree: isLocal && !/[:-]cloud$/.test(model),
    redact: (text) => secrets.reduce<string>((rest, one) => rest.replaceAll(one ?? '', '[key]'), text),
    commandEnv: Object.fromEntries(Object.entries(env).filter(([name]) => name !== apiKeyEnv)),
  };
}

type Env = { readonly [name: string]: string | undefined };

/** The headers of every request. Contract: throws an OperatorError if a variable that it needs is not set. */
export function headersOf(
  { apiKeyEnv, headers }: Pick<OpenaiOptions, 'apiKeyEnv' | 'headers'>,
  env: Env,
): Endpoint['headers'] {
  return {
    ...(apiKeyEnv !== null && { authorization: `Bearer ${keyOf(apiKeyEnv, env)}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, env)])),
  };
}

function keyOf(name: string, env: Env): string {
  const key = env[name]?.trim();
  if (key !== undefined && key !== '') return key;
  throw new OperatorError(
    'no-api-key',
    `The variable ${name}, which holds the key of this agent, is not set.`,
    `Set it: export ${name}=…, or name another one by "apiKeyEnv".`,
  );
}

function filled(value: string, env: Env): string {
  return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => keyOf(name, env));
}

async function onlyModel(
  baseUrl: string,
  provider: ProviderName | null,
  headers: Endpoint['headers'],
): Promise<string> {
  const models = await modelsAt(baseUrl, {
    timeoutMs: modelsMsMax,
    isOllama: provider === 'ollama',
    headers,
  });
  const example = `--agent ${provider ?? 'NAME'}:${models?.[0] ?? 'MODEL'}`;
  if (models === null) {
    throw new OperatorError(
      'no-endpoint',
      describeDown(baseUrl, provider, 'it lists no models'),
      `Name the model: ${example}`,
    );
  }
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first;
  throw new OperatorError(
    'no-model',
    models.length === 0
      ? `The endpoint at ${baseUrl} has no model yet.`
      : `The endpoint at ${baseUrl} has ${models.length} models, and none is named (${models.slice(0, 8).join(', ')}${models.length > 8 ? ', …' : ''}).`,
    models.length === 0 && provider === 'ollama' ? 'Get one: ollama pull MODEL' : `Name one: ${example}`,
  );
}

function isLoopback(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
