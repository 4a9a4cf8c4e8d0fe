// Names refs under refs/untildone/ and writes them without ever overwriting a kept object.
import { rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { InvariantError } from '#base/assert.ts';
import { type Git, type GitAnswer, gitFailed } from '#adapters/git/repo/git.ts';

export function branchOf(runId: string): string {
  return `untildone/${runId}`;
}

export function keptRef(runId: string, ...names: string[]): string {
  return ['refs/untildone', runId, ...names]
    .flatMap((name) => name.split('/'))
    .map(segment)
    .join('/');
}

/**
 * Points `ref` at an object and returns the name used. Contract: a name with another object stays as it is;
 * the next free `<ref>.<n>` is used.
 */
export async function keepObject(git: Git, gitDir: string, ref: string, object: string): Promise<string> {
  let others: Map<string, string> | null = null;
  for (let number = 1; number < 1000; number += 1) {
    const name = number === 1 ? ref : `${ref}.${number}`;
    const present: string | null = others?.get(name) ?? (await create(git, gitDir, name, object));
    if (present === object) return name;
    others ??= await numberedRefs(git, gitDir, ref);
  }
  throw new InvariantError(`a thousand things are kept as ${ref}`);
}

/** Returns what the ref is at now: the object, or what another process has put there. */
async function create(git: Git, gitDir: string, ref: string, object: string): Promise<string> {
  const answer = await updateRef(git, gitDir, ['--no-deref', ref, object, '0'.repeat(object.length)]);
  if (answer.code === 0) return object;
  const present = await readRef(git, gitDir, ref);
  if (present === null) throw gitFailed(['update-ref'], answer);
  return present;
}

/** Read in one call: the same name may have been kept a hundred times. */
function numberedRefs(git: Git, gitDir: string, ref: string): Promise<Map<string, string>> {
  return readRefs(git, gitDir, [`${ref}.*`]);
}

/** Name to object, in one call. A name also stands for all refs below it. */
export async function readRefs(
  git: Git,
  gitDir: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...names];
  const listed = await git.tell(args, { gitDir });
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [name, object] = line.split(' ');
      return name === undefined || object === undefined ? [] : [[name, object]];
    }),
  );
}

// Writing a ref takes milliseconds; an older lock belongs to a killed git.
const lockMs = 1_000;

/** `git update-ref`, past a lock of a killed git of ours. Locks on the user's refs stay. */
export async function updateRef(git: Git, gitDir: string, args: readonly string[]): Promise<GitAnswer> {
  const answer = await git.ask(['update-ref', ...args], { gitDir });
  const lock = /Unable to create '([^']*\/refs\/(?:heads\/untildone|untildone)\/.*\.lock)'/.exec(
    answer.stderr,
  )?.[1];
  if (answer.code === 0 || lock === undefined) return answer;
  for (
    let found = await stat(lock).catch(() => null);
    found !== null;
    found = await stat(lock).catch(() => null)
  ) {
    const ageMs = Date.now() - found.mtimeMs;
    if (ageMs > lockMs || ageMs < 0) await rm(lock, { force: true });
    else await setTimeout(lockMs - ageMs + 10);
  }
  return git.ask(['update-ref', ...args], { gitDir });
}

export async function readRef(git: Git, gitDir: string, ref: string): Promise<string | null> {
  const answer = await git.ask(['rev-parse', '--verify', '--quiet', ref], { gitDir });
  return answer.code === 0 ? answer.stdout.trim() : null;
}

export async function hasObject(git: Git, gitDir: string, name: string): Promise<boolean> {
  return (await git.ask(['cat-file', '-e', name], { gitDir })).code === 0;
}

function segment(name: string): string {
  const clean = name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$|\.lock$/g, '-');
  return clean === '' ? '-' : clean;
}
