// Finds the addresses of providers, and which of those on this machine answer.
import type { Environment } from '#agents/shared/state-folder.ts';
import { type ProviderName, providers } from './facts.ts';
import { getJson } from './http.ts';
import { fieldsOf } from '#agents/shared/json.ts';

/** The provider's address; Ollama has its own variable for another one. */
export function addressOf(name: ProviderName, env: Environment): string {
  const { addressEnv, baseUrl } = providers[name];
  const host = addressEnv === null ? '' : (env[addressEnv] ?? '').trim();
  return host === '' ? baseUrl : addressOfOllama(host);
}

/** As Ollama reads it: a host, a host and port, or an address; 0.0.0.0 is a listen address, not a target. */
function addressOfOllama(host: string): string {
  const hasScheme = /^https?:\/\//i.test(host);
  const bare = hasScheme ? host : `http://${host}`;
  const url = URL.parse(bare.replace(/^(https?:\/\/):/i, '$1127.0.0.1:'));
  if (url === null) return providers.ollama.baseUrl;
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  const port = url.port === '' && !/:\d+/.test(bare.slice(8)) && !hasScheme ? ':11434' : '';
  return `${url.origin}${port}${url.pathname.replace(/\/+$/, '')}/v1`;
}

export interface ProviderMatch {
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** For a list of models. A busy machine may need seconds; without a server, the refusal comes at once. */
export const modelsMsMax = 10_000;

export interface ProbeOptions {
  readonly env: Environment;
  readonly timeoutMs?: number;
  /** Replaces the usual addresses. */
  readonly addresses?: { readonly [name in ProviderName]?: string };
}

/** The providers on this machine that answer now, with their models. Never rejects. */
export async function probeProviders({
  env,
  timeoutMs = modelsMsMax,
  addresses,
}: ProbeOptions): Promise<ProviderMatch[]> {
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

/** The models of an endpoint; null if nothing answers like one. Ollama's own list also has the tags. */
export async function modelsAt(
  baseUrl: string,
  { timeoutMs, isOllama, headers = {} }: ModelsQuestion,
): Promise<string[] | null> {
  const places = [
    ...(isOllama ? [{ url: `${baseUrl.replace(/\/v1$/, '')}/api/tags`, list: 'models', name: 'name' }] : []),
    { url: `${baseUrl}/models`, list: 'data', name: 'id' },
  ];
  for (const { url, list, name } of places) {
    const answer = fieldsOf(await getJson(url, { timeoutMs, headers }).catch(() => null));
    const items = answer[list];
    if (!Array.isArray(items)) continue;
    // The first page of a list does not prove that a name is missing.
    if (answer['has_more'] === true) return [];
    return items.map((item) => fieldsOf(item)[name]).filter((one) => typeof one === 'string');
  }
  return null;
}

/** One sentence for an endpoint that does not answer: where, the reason, how to check, how to start. */
export function describeDown(baseUrl: string, provider: ProviderName | null, reason: string): string {
  const name = provider === null ? 'The endpoint' : providers[provider].title;
  const start = provider === null ? '' : `, or ${providers[provider].start}`;
  return `${name} does not answer at ${baseUrl} (${reason}). Check it with: curl ${baseUrl}/models${start}.`;
}
