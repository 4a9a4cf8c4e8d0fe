// Lock files that a setup of this run made where the base has none: no work, whatever an agent does to them.
// If the goal or a check names one, it is removed before the work begins; a new one is the agent's.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { keptLockKindOf, keptLockNames } from '#analysis/ecosystems/setup/setup-files.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { FreshCheckout } from './fill-checkout.ts';
import type { Ground } from './context.ts';
import { wordsOf } from '#analysis/tampering/pins/pin-rules.ts';
import { admit, readAdmitted } from '#adapters/git/trees/snapshot.ts';

/** A checkout for checks omits the lock unless its tool needs it; the agent's checkout keeps it. */
export async function settleLocks(
  { git }: Ground,
  fresh: FreshCheckout,
  locks: readonly string[],
): Promise<void> {
  const asked = fresh.isWorkedIn === true ? await readAsked(fresh.indexFile) : [];
  const place = { cwd: fresh.root, gitDir: fresh.admin, workTree: fresh.root };
  const ownLocks: { [path: string]: string } = {};
  for (const path of locks) {
    const isAsked = asked.includes(posix.basename(path));
    if (!isAsked) ownLocks[path] = await git.tell(['hash-object', '--', path], place);
    const isNeeded = fresh.isWorkedIn === true || keptLockKindOf(path)?.isReadLater === true;
    if (isAsked || !isNeeded) await rm(join(fresh.root, path), { force: true });
  }
  if (locks.length > 0) await admit(fresh.indexFile, { ownLocks });
}

/** Stored beside the index: a deleted checkout is remade without access to the criteria. */
export async function noteAskedLocks(
  indexFile: string,
  goals: readonly string[],
  criteria: readonly Criterion[],
): Promise<void> {
  const texts = [...goals, ...criteria.map(({ text, check }) => `${text}\n${wordsIn(check)}`)];
  const words = texts.flatMap(wordsOf).map((word) => posix.basename(word.replace(/[.!?]+$/, '')));
  const asked = keptLockNames.filter((name) => words.includes(name));
  await writeFile(askedFileOf(indexFile), JSON.stringify(asked));
}

/** Criteria may name a lock file after the checkout was made; a lock that an agent changed stays. */
export async function releaseAskedLocks(
  { git }: Pick<Ground, 'git'>,
  { root, indexFile }: { readonly root: string; readonly indexFile: string },
): Promise<void> {
  const asked = await readAsked(indexFile);
  const { ownLocks = {} } = await readAdmitted(indexFile);
  const isAsked = (path: string): boolean => asked.includes(posix.basename(path));
  const released = Object.keys(ownLocks).filter(isAsked);
  if (released.length === 0) return;
  for (const path of released) {
    const now = await git.ask(['hash-object', '--', path], { cwd: root });
    if (now.stdout.trim() === ownLocks[path]) await rm(join(root, path), { force: true });
  }
  const kept = Object.entries(ownLocks).filter(([path]) => !isAsked(path));
  await admit(indexFile, { ownLocks: Object.fromEntries(kept) });
}

function askedFileOf(indexFile: string): string {
  return `${indexFile}.asked-locks`;
}

async function readAsked(indexFile: string): Promise<readonly string[]> {
  const text = await readFile(askedFileOf(indexFile), 'utf8').catch(() => '[]');
  // Only we write this file, beside the index and outside the workspace.
  return JSON.parse(text) as readonly string[];
}

function wordsIn(check: Criterion['check']): string {
  return JSON.stringify(check).replaceAll(/\\[nrt"]/g, ' ');
}
