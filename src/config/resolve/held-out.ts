// Held-out checks, hidden from the builder: read from outside the repository, known to the run only by hash.
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import { isMachineCheck, type MachineCheck } from '#kernel/model/check.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { criteriaOf } from '#tasks/criteria/checks.ts';
import { readJsonc } from '#config/config-file.ts';
import { type HeldOutEntry, type Layer, setting } from '#config/layers.ts';

/** One stored held-out check: everything needed to run it, and none of it in the journal. */
export interface HeldOutRecord {
  readonly id: string;
  readonly hash: string;
  /** JSON of `HeldOutContent`. */
  readonly text: string;
}

export interface HeldOutContent {
  readonly check: MachineCheck;
  /** Copied into the clean checkout for this check alone: path there → contents in base64. */
  readonly files: { readonly [path: string]: string };
}

interface Source {
  readonly entries: readonly HeldOutEntry[];
  /** Paths of `files` are relative to it. */
  readonly folder: string;
}

export async function readHeldOut(
  root: string,
  settings: Layer,
  { files, timeoutMs, userFile }: { files: readonly string[]; timeoutMs: number; userFile: string | null },
): Promise<HeldOutRecord[]> {
  const sources = [
    ...configured(settings, userFile),
    ...(await Promise.all(files.map((file) => read(root, file)))),
  ];
  const records: HeldOutRecord[] = [];
  for (const { entries, folder } of sources)
    for (const entry of entries)
      records.push(await recordOf(entry, folder, { timeoutMs, number: records.length + 1 }));
  return records;
}

/** They judge the whole result, so they belong to the last task; only the clean checkouts see them. */
export function withHeldOut(tasks: readonly Task[], records: readonly HeldOutRecord[]): readonly Task[] {
  const last = tasks.at(-1);
  if (last === undefined || records.length === 0) return tasks;
  const criteria = records.map(({ id, hash }): Criterion => ({
    id,
    text: 'a held-out check passes',
    kind: 'exit',
    required: true,
    when: 'acceptance',
    check: { kind: 'held-out', hash },
  }));
  return [...tasks.slice(0, -1), { ...last, criteria: [...last.criteria, ...criteria] }];
}

function configured(settings: Layer, userFile: string | null): Source[] {
  const given = settings.get('heldOut');
  if (given === undefined) return [];
  if (given.origin.kind === 'project')
    throw new OperatorError(
      'held-out-shown',
      `${given.origin.where}: "heldOut" is in a file of the repository, where the builder can read it.`,
      'Put it into your own configuration file, or into a file outside of the repository: --held-out FILE.',
    );
  return [
    { entries: setting(settings, 'heldOut') ?? [], folder: userFile === null ? '.' : dirname(userFile) },
  ];
}

async function read(root: string, file: string): Promise<Source> {
  const path = await realpath(resolve(file)).catch(() => null);
  const text = path === null ? null : await readFile(path, 'utf8').catch(() => null);
  if (path === null || text === null)
    throw new OperatorError(
      'no-held-out',
      `The held-out checks ${file} cannot be read.`,
      'Give a file that holds a list of checks: ["npm run hidden"]',
    );
  if (isWithin(path, await realpath(root)))
    throw new OperatorError(
      'held-out-shown',
      `The held-out checks ${file} are in the repository, where the builder can read them.`,
      'Move the file out of the repository.',
    );
  const { heldOutSchema } = await import('#config/schema/schema.ts');
  return { entries: readJsonc(text, path, heldOutSchema).data, folder: dirname(path) };
}

async function recordOf(
  entry: HeldOutEntry,
  folder: string,
  { timeoutMs, number }: { timeoutMs: number; number: number },
): Promise<HeldOutRecord> {
  const isWhole = typeof entry === 'object' && 'check' in entry;
  const [criterion] = criteriaOf([isWhole ? entry.check : entry], timeoutMs);
  const check = criterion?.check;
  if (check === undefined || !isMachineCheck(check)) throw new Error('a check is made of every entry');
  const files: { [path: string]: string } = {};
  for (const [to, from] of Object.entries((isWhole ? entry.files : undefined) ?? {}))
    files[placeIn(to)] = await contentsOf(resolve(folder, from));
  const text = JSON.stringify({ check, files } satisfies HeldOutContent);
  // Named by its number, so that its id does not reveal its content.
  return { id: `held-out-${number}`, hash: createHash('sha256').update(text).digest('hex'), text };
}

function placeIn(path: string): string {
  if (!isAbsolute(path) && !path.split(/[\\/]/).includes('..') && !path.startsWith('.git/')) return path;
  throw new OperatorError(
    'bad-held-out',
    `A held-out file would be put at "${path}", which is not inside the checkout.`,
    'Give a path relative to the folder where the run is started.',
  );
}

async function contentsOf(path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64');
  } catch {
    throw new OperatorError('no-held-out', `The held-out file ${path} cannot be read.`, 'Correct its path.');
  }
}
