// Checks that the program or script of an agent exists, before a run is made.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { searchPathOf } from '#base/search-path.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Environment } from '#config/env-file.ts';
import type { AgentEntry } from '#config/layers.ts';
import { clientNames, knownClients } from './clients.ts';
import { driverFacts } from './known-agents.ts';

export async function isOnPath(program: string, env: Environment): Promise<boolean> {
  const path = searchPathOf(env, process.platform);
  const folders = path.folders.filter((folder) => folder !== '');
  const { endings } = path;
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
  const hits = await Promise.all(places.map((place) => can(place, constants.X_OK)));
  return hits.includes(true);
}

export async function programsOnPath(programs: readonly string[], env: Environment): Promise<string[]> {
  const hits = await Promise.all(programs.map((program) => isOnPath(program, env)));
  return programs.filter((_, index) => hits[index]);
}

/** By name on PATH, or by path; a relative path is accepted, because the folder is not known here. */
export async function isProgramHere(program: string, env: Environment): Promise<boolean> {
  if (isAbsolute(program)) return can(program, constants.X_OK);
  return /[/\\]/.test(program) || isOnPath(program, env);
}

/** Contract: refuses only if something is certainly missing; a shell can do more than is visible here. */
export async function refuseMissing(name: string, entry: AgentEntry, env: Environment): Promise<void> {
  const { driver, script } = entry;
  if (
    driver === 'scripted' &&
    typeof script === 'string' &&
    isAbsolute(script) &&
    !(await can(script, constants.R_OK))
  ) {
    throw new OperatorError(
      'missing-agent',
      `The script ${script} of the agent ${name} cannot be read.`,
      'Give the path of a script: --agent scripted:file.json',
    );
  }
  refuseMissingKey(name, entry, env);
  const program = programOf(driverFacts(driver)?.commandOf(entry));
  if (program === null) return;
  if (await isProgramHere(program, env)) return;
  throw new OperatorError(
    'missing-agent',
    `The agent ${name} cannot be started: there is no program "${program}" on PATH.`,
    `${howToInstall(program)}, correct its name, or give its full path; \`untildone doctor\` lists the agents.`,
  );
}

function howToInstall(program: string): string {
  const client = clientNames.find((name) => name === program);
  return client === undefined ? 'Install it' : `Install it (${knownClients[client].install})`;
}

function refuseMissingKey(name: string, { driver, apiKeyEnv }: AgentEntry, env: Environment): void {
  if (driver !== 'openai' || typeof apiKeyEnv !== 'string') return;
  if ((env[apiKeyEnv] ?? '').trim() !== '') return;
  throw new OperatorError(
    'no-api-key',
    `The agent ${name} has no key: the variable ${apiKeyEnv} is not set.`,
    `Set it: export ${apiKeyEnv}=…, or write it into .env.`,
  );
}

/** The program that a command starts, if that is clear without a shell; null otherwise. */
export function programOf(command: unknown): string | null {
  const isList = Array.isArray(command);
  const first: unknown = isList
    ? command[0]
    : typeof command === 'string'
      ? command.trim().split(/\s+/)[0]
      : null;
  if (typeof first !== 'string') return null;
  if (isAbsolute(first)) return first;
  if (first.includes('/') || first.includes('\\')) return null;
  const isPlain = /^[\w.+@-]+$/.test(first) && !shellWords.has(first);
  return isList || isPlain ? first : null;
}

const shellWords = new Set(
  (
    '. : alias bg break builtin caller case cd command continue coproc declare dirs disown do echo enable eval exec exit ' +
    'export false fg fi for function getopts hash if jobs kill let local mapfile popd printf pushd pwd read readarray ' +
    'readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask ' +
    'unalias unset until wait while'
  ).split(' '),
);

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
