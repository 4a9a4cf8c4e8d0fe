// Who serves models under which address, and which of those on this machine are up.
import { getJson } from './http.ts';

export interface Provider {
  readonly title: string;
  /** With its `/v1`. */
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  /** Runs on this machine, so that nobody is paid for it. */
  readonly isLocal: boolean;
  /** What starts it. */
  readonly start: string;
}

export type ProviderName = keyof typeof providers;

export const providers = {
  ollama: local('Ollama', 11434, 'start it with: ollama serve'),
  lmstudio: local('LM Studio', 1234, 'start its server with: lms server start'),
  vllm: local('vLLM', 8000, 'start it with: vllm serve MODEL'),
  llamacpp: local('llama.cpp', 8080, 'start it with: llama-server -m MODEL.gguf --jinja'),
  openai: remote('OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY'),
  openrouter: remote('OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
} as const satisfies { readonly [name: string]: Provider };

function local(title: string, port: number, start: string): Provider {
  return { title, baseUrl: `http://127.0.0.1:${port}/v1`, apiKeyEnv: null, isLocal: true, start };
}

function remote(title: string, baseUrl: string, apiKeyEnv: string): Provider {
  return {
    title,
    baseUrl,
    apiKeyEnv,
    isLocal: false,
    start: 'look at the network and at the status page of the provider',
  };
}

type Environment = { readonly [name: string]: string | undefined };

/** The provider's address; `OLLAMA_HOST` is Ollama's own way to say another one. */
export function addressOf(name: ProviderName, env: Environment): string {
  const host = name === 'ollama' ? env['OLLAMA_HOST']?.trim() : undefined;
  return host === undefined || host === '' ? providers[name].baseUrl : addressOfOllama(host);
}

/** As Ollama reads it: a host, a host and port, or an address; 0.0.0.0 is where it listens, not where it is. */
function addressOfOllama(host: string): string {
  const hasScheme = /^https?:\/\//i.test(host);
  const bare = hasScheme ? host : `http://${host}`;
  const url = URL.parse(bare.replace(/^(https?:\/\/):/i, '$1127.0.0.1:'));
  if (url === null) return providers.ollama.baseUrl;
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  const port = url.port === '' && !/:\d+/.test(bare.slice(8)) && !hasScheme ? ':11434' : '';
  return `${url.origin}${port}${url.pathname.replace(/\/+$/, '')}/v1`;
}

export interface FoundProvider {
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** For a list of models. A busy machine may need seconds; where nothing listens, the refusal comes at once. */
export const modelsMsMax = 10_000;

export interface ProbeOptions {
  readonly env: Environment;
  readonly timeoutMs?: number;
  /** Instead of the usual ones. */
  readonly addresses?: { readonly [name in ProviderName]?: string };
}

/** The providers on this machine that answer now, with their models. Never rejects. */
export async function probeProviders({
  env,
  timeoutMs = modelsMsMax,
  addresses,
}: ProbeOptions): Promise<FoundProvider[]> {
  const names = (Object.keys(providers) as ProviderName[]).filter((name) => providers[name].isLocal);
  const found = await Promise.all(
    names.map(async (provider) => {
      const baseUrl = addresses?.[provider] ?? addressOf(provider, env);
      const models = await modelsAt(baseUrl, { timeoutMs, isOllama: provider === 'ollama' });
      return models === null ? [] : [{ provider, baseUrl, models }];
    }),
  );
  return found.flat();
}

export interface ModelsQuestion {
  readonly timeoutMs: number;
  readonly isOllama: boolean;
  readonly headers?: { readonly [name: string]: string };
}

/** What an endpoint offers; null when nothing there answers like one. Ollama's own list has what `/v1/models` has, and the tags. */
export async function modelsAt(
  baseUrl: string,
  { timeoutMs, isOllama, headers = {} }: ModelsQuestion,
): Promise<string[] | null> {
  const places = [
    ...(isOllama ? [{ url: `${baseUrl.replace(/\/v1$/, '')}/api/tags`, list: 'models', name: 'name' }] : []),
    { url: `${baseUrl}/models`, list: 'data', name: 'id' },
  ];
  for (const { url, list, name } of places) {
    const answer = await getJson(url, { timeoutMs, headers }).catch(() => null);
    const items = fieldOf(answer, list);
    if (!Array.isArray(items)) continue;
    // The first page of a list says nothing about a name that is not in it.
    if (fieldOf(answer, 'has_more') === true) return [];
    return items.map((item) => fieldOf(item, name)).filter((one) => typeof one === 'string');
  }
  return null;
}

/** One sentence for an endpoint that does not answer: where, what happened, how to check, how to start. */
export function describeDown(baseUrl: string, provider: ProviderName | null, reason: string): string {
  const name = provider === null ? 'The endpoint' : providers[provider].title;
  const start = provider === null ? '' : `, or ${providers[provider].start}`;
  return `${name} does not answer at ${baseUrl} (${reason}). Check it with: curl ${baseUrl}/models${start}.`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { [key: string]: unknown })[name]
    : undefined;
}
