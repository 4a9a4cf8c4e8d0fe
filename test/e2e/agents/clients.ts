// Where the real clients are, or why a test of theirs is not run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Client {
  /** Path of its program; '' when it is missing. */
  readonly program: string;
  readonly isMissing: boolean;
  /** For the title of its tests: says loudly when they do not run, and nothing else. */
  readonly note: string;
  readonly title: string;
}

const here = import.meta.dirname;

export type ClientName = 'claude' | 'codex' | 'codex-acp' | 'gemini' | 'opencode';

const programs: { readonly [name in ClientName]: readonly string[] } = {
  claude: platforms('@anthropic-ai/claude-agent-sdk').map((name) => `clients/node_modules/${name}/claude`),
  codex: ['clients/node_modules/.bin/codex'],
  'codex-acp': ['clients/node_modules/.bin/codex-acp'],
  gemini: ['clients-more/node_modules/.bin/gemini'],
  opencode: ['clients-more/node_modules/.bin/opencode'],
};

/** Folder of the Claude Agent SDK. */
export const claudeSdk = join(here, 'clients/node_modules/@anthropic-ai/claude-agent-sdk');

export function findClient(name: ClientName): Client {
  const program = programs[name].map((path) => join(here, path)).find((path) => existsSync(path)) ?? '';
  const isMissing = program === '';
  const note = isMissing ? ` — NOT RUN: ${name} is not installed (npm run test:agents installs it)` : '';
  return { program, isMissing, note, title: `the real ${name}${note}` };
}

/** The names under which a package for this very machine may be installed. */
function platforms(name: string): string[] {
  const { platform, arch } = process;
  return [`${name}-${platform}-${arch}`, `${name}-${platform}-${arch}-musl`];
}
