// Which package registries this machine's own package managers are set to. They are asked: no host is written down here.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/** A package manager that takes longer to say what it is set to is left out. */
const askMsMax = 10_000;

const registries = factsOf('machine').flatMap((each) => each.registries ?? []);
/** Programs that say it; what they print is searched for addresses. One that is not here says nothing. */
const questions = registries.flatMap((each) => each.questions ?? []);
/** Files that say it, below the home folder or where a variable points. */
const files = registries.flatMap((each) => each.files ?? []);
const variables = registries.flatMap((each) => each.variables ?? []);

export interface RegistryReply {
  /** Texts in which the addresses stand. */
  readonly texts: readonly string[];
  /** False when somebody took too long to say. */
  readonly isWhole: boolean;
}

/** Contract: never rejects; asks everything at once. */
export async function askRegistries(env: Environment): Promise<RegistryReply> {
  const said = await Promise.all([
    ...questions.map(([program, ...args]) => answerOf(program, args, env)),
    ...files.map(({ variable, path }) => textOf(variable, path, env)),
  ]);
  const set = Object.entries(env).flatMap(([name, value]) => (isOneOf(variables, name) ? [value ?? ''] : []));
  const texts = [...said, ...set].map((text) => registryLines(text ?? '')).filter((text) => text !== '');
  return { texts, isWhole: !said.includes(null) };
}

/** Where the package managers that are asked keep what they are set to. */
const settings = registries.flatMap((each) => each.settings?.split(' ') ?? []);
const machineSettings = registries.flatMap((each) => each.machineSettings?.split(' ') ?? []);
const tellingVariables = [
  /^(HOME|PATH|XDG_CONFIG_HOME)$/i,
  ...registries.flatMap((each) => each.telling ?? []),
];

/** Looks the same as long as the answer, as far as can be seen without asking. Contract: never rejects, tells no secret. */
export async function registrySigns(env: Environment): Promise<string> {
  const home = env['HOME'] ?? homedir();
  const paths = [...settings, ...files.map(({ path }) => path)].map((path) => join(home, path));
  const stamps = await Promise.all(
    [...paths, ...machineSettings].map(async (path) => {
      const found = await stat(path).catch(() => null);
      return found === null ? '' : `${found.mtimeMs}/${found.size}/${found.ino}`;
    }),
  );
  const told = Object.entries(env).filter(([name]) => isOneOf(tellingVariables, name));
  return createHash('sha256')
    .update(JSON.stringify([Object.fromEntries(told), paths, stamps]))
    .digest('hex');
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

/** A question leaves nothing in the home: npm makes its cache and a log at every start. */
const quiet = { npm_config_cache: '/dev/null', npm_config_logs_max: '0' };

/** Null when it took too long. */
function answerOf(program: string, args: readonly string[], env: Environment): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...env, ...quiet }, timeout: askMsMax, cwd: '/' }, (error, stdout) =>
      resolve(error?.killed === true ? null : stdout),
    ).on('error', () => resolve(''));
  });
}

async function textOf(variable: string | undefined, path: string, env: Environment): Promise<string> {
  const home = env['HOME'] ?? homedir();
  const folder = variable === undefined ? undefined : env[variable];
  const file = folder === undefined ? join(home, path) : join(folder, path.slice(path.indexOf('/') + 1));
  return readFile(file, 'utf8').catch(() => '');
}

function isOneOf(patterns: readonly RegExp[], name: string): boolean {
  return patterns.some((pattern) => pattern.test(name));
}
