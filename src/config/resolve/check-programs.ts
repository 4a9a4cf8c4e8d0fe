// Checks before a run is made that the programs of its checks are on this machine.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { commandOf } from '#kernel/model/check.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import type { Environment } from '#config/env-file.ts';
import { isOnPath, programOf, programsOnPath } from '#config/agents/programs.ts';
import type { StartPlace } from './resolve-run.ts';
import { suggest } from '#base/suggest.ts';

export interface CheckedStart {
  readonly config: Pick<RunConfig, 'checkEnv' | 'knownRed' | 'policy' | 'setup'>;
  readonly tasks: readonly Pick<Task, 'criteria'>[];
  /** A plan that the user supplies. */
  readonly plan?: { readonly tasks: readonly Pick<Task, 'criteria'>[] };
}

/** Contract: refuses only certainly missing programs. The checks on the base show what a setup installs. */
export async function refuseMissingPrograms(
  place: Pick<StartPlace, 'cwd' | 'root' | 'env'>,
  { config, tasks, plan }: CheckedStart,
): Promise<void> {
  const env = allowedEnvironment(place.env, config.checkEnv);
  // A user's setup command may install anything, and a relative folder on PATH differs per checkout.
  if (config.setup.command !== null || hasRelativeFolder(env)) return;
  const { criteria = [], everyTask = [] } = config.policy.planning ?? {};
  const ofTasks = [...tasks, ...(plan?.tasks ?? [])].flatMap((task) => task.criteria);
  for (const criterion of [...ofTasks, ...criteria, ...everyTask]) {
    const command = commandOf(criterion.check);
    if (command === null || !isAuthored(criterion) || isKnownRed(config, criterion)) continue;
    await refuseMissingProgram(command.run, env, [place.root, place.cwd, join(place.cwd, command.cwd)]);
  }
}

function isAuthored({ required, origin }: Criterion): boolean {
  return required && origin?.check !== 'inferred';
}

function isKnownRed({ knownRed }: CheckedStart['config'], { id }: Criterion): boolean {
  return knownRed === 'all' || knownRed.includes(id);
}

async function refuseMissingProgram(
  command: string,
  env: Environment,
  folders: readonly string[],
): Promise<void> {
  const program = programOfCheck(command);
  if (program === null || (await isOnPath(program, env))) return;
  for (const folder of new Set(folders)) if (await mayProvide(folder, program)) return;
  const suggestion = await suggestionFor(program, env);
  const question = suggestion === null ? '' : ` Did you mean ${suggestion}?`;
  const corrected = suggestion === null ? '…' : command.replace(program, suggestion);
  throw new OperatorError(
    'missing-program',
    `The check "${command}" cannot run: there is no program "${program}" on PATH.${question}`,
    `Correct it: --check "${corrected}". If a command installs the program, name that command: --setup "…".`,
  );
}

/** Null if a shell could run something else than the first word of the command. */
function programOfCheck(command: string): string | null {
  if (/\|\||[\n`]/.test(command)) return null;
  const plain = command.trim().replace(/^(?:(?!PATH=)\w+=[\w./:@,+-]*\s+)+/, '');
  const program = programOf(plain);
  return program === null || isAbsolute(program) ? null : program;
}

function hasRelativeFolder(env: Environment): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && !isAbsolute(folder));
}

/** Files in which a repository requests programs: those may come with its dependencies. */
const manifests = wordsIn('setup', (each) => each.asking);

const binFolders = ['bin', ...wordsIn('setup', (each) => each.programFolders)];

async function mayProvide(folder: string, program: string): Promise<boolean> {
  if (await isOnPath(program, { PATH: binFolders.map((bin) => join(folder, bin)).join(delimiter) }))
    return true;
  const texts = await Promise.all(
    manifests.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')),
  );
  const word = new RegExp(`(?<![\\w-])${program.replaceAll(/[.+]/g, '\\$&')}(?![\\w-])`);
  return texts.some((text) => word.test(text));
}

/** Programs that usually start checks; all of PATH has a near name for every typing error. */
const common = [...wordsIn('programs', (each) => each.common), ...'just docker git grep'.split(' ')];

/** Programs that are not typing errors of those. */
const others = wordsIn('programs', (each) => each.rare);

/** Short names resemble each other: for those only one changed letter counts. */
async function suggestionFor(program: string, env: Environment): Promise<string | null> {
  if (common.includes(program) || others.includes(program)) return null;
  return suggest(program, await programsOnPath(common, env), program.length <= 4 ? 1 : 2);
}
