// Which package registries this machine's own package managers are set to. They are asked, each time: no host is written down here.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/** A package manager that takes longer to say what it is set to is left out. */
const askMsMax = 10_000;

const pipQuestion = `
from pip._internal.configuration import Configuration
from pip._internal.models.index import PyPI
settings = Configuration(isolated=False)
settings.load()
print([(name, value) for name, value in settings.items() if 'index' in name or 'links' in name])
print(PyPI.url, 'https://' + PyPI.file_storage_domain)
`;

/** Programs that say it; what they print is searched for addresses. One that is not here says nothing. */
const questions: readonly (readonly [string, ...string[]])[] = [
  ['npm', 'config', 'list', '--json'],
  ['yarn', 'config', 'get', 'registry'],
  // What pip is set to, and what it takes where nothing is set: one start of Python, where its own programs would take two.
  ['python3', '-c', pipQuestion],
  ['go', 'env', 'GOPROXY', 'GOSUMDB'],
  ['gem', 'sources', '--list'],
  ['dotnet', 'nuget', 'list', 'source'],
  ['composer', 'config', '--global', 'repositories'],
];

/** Files that say it, below the home folder or where a variable points. */
const files: readonly { readonly variable: string | null; readonly path: string }[] = [
  { variable: 'CARGO_HOME', path: '.cargo/config.toml' },
  { variable: 'CARGO_HOME', path: '.cargo/config' },
  { variable: null, path: '.m2/settings.xml' },
  { variable: null, path: '.gradle/init.gradle' },
  { variable: null, path: '.bunfig.toml' },
  { variable: null, path: '.yarnrc.yml' },
  { variable: null, path: '.condarc' },
];

const variables =
  /^(npm_config_(.*:)?registry|PIP_(EXTRA_)?INDEX_URL|PIP_FIND_LINKS|UV_(DEFAULT_)?INDEX(_URL)?|CARGO_REGISTRIES_.*_INDEX|GOPROXY|NUGET_.*|BUNDLE_MIRROR.*)$/i;

/** Texts in which the addresses stand. Contract: never rejects; asks everything at once. */
export async function askRegistries(env: Environment): Promise<string[]> {
  const said = await Promise.all([
    ...questions.map(([program, ...args]) => answerOf(program, args, env)),
    ...files.map(({ variable, path }) => textOf(variable, path, env)),
  ]);
  const set = Object.entries(env).flatMap(([name, value]) => (variables.test(name) ? [value ?? ''] : []));
  return [...said, ...set].map(registryLines).filter((text) => text !== '');
}

/** Of what a package manager lists, only the lines that name a registry: a proxy or a home page is none. */
function registryLines(text: string): string {
  const isListed = text.trimStart().startsWith('{');
  // Go names its checksum server without a scheme.
  if (!isListed) return text.replaceAll(/^[\w-]+(\.[\w-]+)+$/gm, 'https://$&');
  return text
    .split('\n')
    .filter((line) => /^\s*"(@[^"]*:)?registry"/.test(line))
    .join('\n');
}

function answerOf(program: string, args: readonly string[], env: Environment): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: askMsMax, cwd: '/' }, (_, stdout) => resolve(stdout)).on(
      'error',
      () => resolve(''),
    );
  });
}

async function textOf(variable: string | null, path: string, env: Environment): Promise<string> {
  const home = env['HOME'] ?? homedir();
  const folder = variable === null ? undefined : env[variable];
  const file = folder === undefined ? join(home, path) : join(folder, path.slice(path.indexOf('/') + 1));
  return readFile(file, 'utf8').catch(() => '');
}
