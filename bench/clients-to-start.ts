// The clients whose start is measured: real ones if they are installed, and always a small one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findClient } from '../test/e2e/agents/clients.ts';
import type { ClientName } from '../test/e2e/agents/clients.ts';
import { asInput, asMessage, asTurn } from './by-hand.ts';
import type { HandPrompt } from './by-hand.ts';

export interface ClientToStart {
  /** The client itself; null if this machine has none. */
  readonly command: readonly string[] | null;
  readonly missing: string;
  /** Agents that are compared with it; the first of them starts it. */
  readonly agents: readonly {
    readonly name: string;
    readonly settings: (program: string, url: string) => object;
  }[];
  readonly hand: HandPrompt;
  /** Multiples of the time by hand. The time of a run before its first session is no promise, only an aim. */
  readonly limits: { readonly session: number; readonly run: number };
}

export function clientsToStart(folder: string): readonly ClientToStart[] {
  const small = { command: [process.execPath, writeSmallClient(folder)], missing: '' };
  return [
    {
      ...real('claude'),
      agents: [{ name: 'claude', settings: claude }],
      hand: asMessage,
      limits: { session: 2, run: 4 },
    },
    {
      ...real('codex'),
      agents: [{ name: 'codex', settings: codex('app-server') }],
      hand: asTurn,
      limits: { session: 2, run: 4 },
    },
    {
      ...real('codex'),
      agents: [{ name: 'codex-exec', settings: codex('exec') }],
      hand: asInput,
      limits: { session: 2.5, run: 5 },
    },
    {
      ...small,
      agents: [
        { name: 'command', settings: command },
        {
          name: 'openai',
          settings: (_, url) => ({ driver: 'openai', model: 'small', baseUrl: `${url}/v1` }),
        },
      ],
      hand: asInput,
      limits: { session: 3, run: 8 },
    },
  ];
}

function real(name: ClientName): Pick<ClientToStart, 'command' | 'missing'> {
  const { program, isMissing } = findClient(name);
  return {
    command: isMissing ? null : [program],
    missing: `${name} is not installed (npm run test:agents installs it)`,
  };
}

function claude(program: string, url: string): object {
  return {
    driver: 'claude',
    via: 'cli',
    binary: program,
    asRoot: 'allow',
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-of-nobody',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  };
}

/** With its own provider, and without telemetry. */
function codex(via: 'app-server' | 'exec') {
  return (program: string, url: string): object => ({
    driver: 'codex',
    via,
    binary: program,
    config: {
      model: 'scripted-model',
      model_provider: 'scripted',
      'model_providers.scripted.name': 'scripted',
      'model_providers.scripted.base_url': `${url}/v1`,
      'model_providers.scripted.wire_api': 'responses',
      'model_providers.scripted.env_key': 'SCRIPTED_KEY',
      'analytics.enabled': false,
      'features.plugins': false,
      'features.apps': false,
    },
    env: { SCRIPTED_KEY: 'sk-of-nobody' },
  });
}

function command(program: string, url: string): object {
  return { driver: 'command', command: [program, url], prompt: 'stdin', verdicts: true };
}

/** The smallest possible client: it reads its prompt, asks once, and prints the answer. */
function writeSmallClient(folder: string): string {
  const file = join(folder, 'small-client.mjs');
  writeFileSync(
    file,
    `import { request } from 'node:http';
let prompt = '';
for await (const part of process.stdin) prompt += part;
request(process.argv[2] + '/v1/chat/completions', { method: 'POST' }, (answer) => answer.pipe(process.stdout)).end(
  JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: prompt }] }),
);
`,
  );
  return file;
}
