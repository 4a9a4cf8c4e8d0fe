// Asks this machine's package managers for their registries. No host is written down here.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = { readonly [name: string]: string | undefined };

/** A package manager that answers more slowly is skipped. */
const askMsMax = 10_000;

const registries = factsOf('machine').flatMap((each) => each.registries ?? []);
/** Programs whose output is searched for addresses. A program that is not installed adds none. */
const questions = registries.flatMap((each) => each.questions ?? []);
/** Files with addresses, below the home folder or at the path in a variable. */
const files = registries.flatMap((each) => each.files ?? []);
const variables = registries.flatMap((each) => each.variables ?? []);

export interface RegistryReply {
  /** Texts that contain the addresses. */
  readonly texts: readonly string[];
  /** False when a program took too long to answer. */
  readonly isWhole: boolean;
}

/** Contract: never rejects; runs all questions in parallel. */
export async function askRegistries(env: Environment): Promise<RegistryReply> {
  const configured = await Promise.all([
    ...questions.map(([program, ...args]) => answerOf(program, args, env)),
    ...files.map(({ variable, path }) => textOf(variable, path, env)),
  ]);
  const set = Object.entries(env).flatMap(([name, value]) => (isOneOf(variables, name) ? [value ?? ''] : []));
  const texts = [...configured, ...set]
    .map((text) => registryLines(text ?? ''))
    .filter((text) => text !== '');
  return { texts, isWhole: !configured.includes(null) };
}

/** Where these package managers keep their settings. */
const settings = registries.flatMap((each) => each.settings?.split(' ') ?? []);
const machineSettings = registries.flatMap((each) => each.machineSettings?.split(' ') ?? []);
const tellingVariables = [
  /^(HOME|PATH|XDG_CONFIG_HOME)$/i,
  ...registries.flatMap((each) => each.telling ?? []),
];

/** Changes when the answer may have changed, without asking. Contract: never rejects, contains no secret. */
export async function registrySigns(env: Environment): Promise<string> {
  const home = env['HOME'] ?? homedir();
  const paths = [...settings, ...files.map(({ path }) => path)].map((path) => join(home, path));
  const stamps = await Promise.all(
    [...paths, ...machineSettings].map(async (path) => {
      const found = await stat(path).catch(() => null);
      return found === null ? '' : `${found.mtimeMs}/${found.size}/${found.ino}`;
    }),
  );
  const variables = Object.entries(env).filter(([name]) => isOneOf(tellingVariables, name));
  return createHash('sha256')
    .update(JSON.stringify([Object.fromEntries(variables), paths, stamps]))
    .digest('hex');
}

/** Keeps only the lines that name a registry: a proxy or a home page is none. */
function registryLines(text: string): string {
  const isListed = text.trimStart().startsWith('{');
  // Go prints its checksum server without a scheme.
  if (!isListed) return text.replaceAll(/^[\w-]+(\.[\w-]+)+$/gm, 'https://$&');
  return text
    .split('\n')
    .filter((line) => /^\s*"(@[^"]*:)?registry"/.test(line))
    .join('\n');
}

/** Asking must write nothing to the home: npm creates its cache and a log at every start. */
const quiet = { npm_config_cache: '/dev/null', npm_config_logs_max: '0' };

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
