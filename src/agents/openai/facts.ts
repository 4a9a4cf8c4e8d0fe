// The model providers and their addresses. Facts as of November 2026.

export interface ProviderFacts {
  readonly title: string;
  /** Includes the `/v1`. */
  readonly baseUrl: string;
  /** The provider's own variable for another address; null where it has none. */
  readonly addressEnv: string | null;
  readonly apiKeyEnv: string | null;
  /** Runs on this machine, so that its use costs nothing. */
  readonly isLocal: boolean;
  /** The advice when it does not answer, after "or". */
  readonly start: string;
  /** Null if nothing has to be installed. */
  readonly install: string | null;
  /** How to begin: start the server, or set the key. */
  readonly begin: string;
  /** The program that starts its server; null for a remote provider. */
  readonly program: string | null;
}

export type ProviderName = keyof typeof providers;

export const providers = {
  ollama: {
    ...local('Ollama', 11434, ['ollama serve', 'ollama pull MODEL']),
    addressEnv: 'OLLAMA_HOST',
    install: 'see https://ollama.com/download',
  },
  lmstudio: {
    ...local('LM Studio', 1234, ['lms server start', 'lms load MODEL']),
    start: 'start its server with: lms server start',
    install: 'see https://lmstudio.ai',
  },
  vllm: { ...local('vLLM', 8000, ['vllm serve MODEL']), install: 'pip install vllm' },
  llamacpp: {
    ...local('llama.cpp', 8080, ['llama-server -m MODEL.gguf --jinja']),
    install: 'see https://github.com/ggml-org/llama.cpp',
  },
  openai: remote(
    'OpenAI',
    'https://api.openai.com/v1',
    'OPENAI_API_KEY',
    'https://platform.openai.com/api-keys',
  ),
  openrouter: remote(
    'OpenRouter',
    'https://openrouter.ai/api/v1',
    'OPENROUTER_API_KEY',
    'https://openrouter.ai/keys',
  ),
} as const satisfies { readonly [name: string]: ProviderFacts };

function local(title: string, port: number, [serve, load]: readonly [string, string?]): ProviderFacts {
  return {
    title,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    addressEnv: null,
    apiKeyEnv: null,
    isLocal: true,
    start: `start it with: ${serve}`,
    install: null,
    begin: load === undefined ? serve : `${serve}, then ${load}`,
    program: serve.split(' ')[0] ?? serve,
  };
}

function remote(title: string, baseUrl: string, apiKeyEnv: string, page: string): ProviderFacts {
  return {
    title,
    baseUrl,
    addressEnv: null,
    apiKeyEnv,
    isLocal: false,
    start: 'check the network and the status page of the provider',
    install: null,
    begin: `get a key at ${page}, then: export ${apiKeyEnv}=…`,
    program: null,
  };
}
