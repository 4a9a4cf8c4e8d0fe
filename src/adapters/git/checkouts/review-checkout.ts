// Makes a separate checkout for each reviewer, in which the builder's instruction files have no effect.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { ReviewCheckout } from '#ports/checkouts.ts';
import { makeCheckoutAt, removeCheckoutAt } from './clean-checkout.ts';
import type { Ground } from './context.ts';
import { openSnapshot, type SnapshotRecord } from '#adapters/git/trees/snapshot.ts';
import { isInstruction } from '#analysis/tampering/pins/instruction-files.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { listFiles, readBlob } from '#adapters/git/trees/pin-tree.ts';
import { rawDiff, rawEntries } from '#adapters/git/trees/tree-change.ts';
import { withEntries } from '#adapters/git/trees/trees.ts';

export async function makeReviewCheckout(
  ground: Ground,
  tree: string,
  name: string,
): Promise<ReviewCheckout> {
  const home = homeOf(ground, name);
  await removeCheckoutAt(ground, home);
  const shown = await shownTo(ground, tree);
  const checkout = await makeCheckoutAt(ground, home, shown.tree);
  const record: SnapshotRecord = { ...checkout.record, standsFor: { shown: shown.tree, tree } };
  await writeFile(recordFile(home), JSON.stringify(record));
  return {
    root: checkout.root,
    cwd: checkout.cwd,
    dispose: () => checkout.dispose(),
    record,
    asOnBase: shown.paths.map((path) => posix.relative(ground.prefix, path)),
    snapshot: openSnapshot(record, ground.env, { git: ground.git, onNote: ground.note }).snapshot,
  };
}

/** The files as a reviewer left them, if its host did not report them; null if the checkout is gone. */
export async function readReviewTree(ground: Ground, name: string): Promise<string | null> {
  const text = await readFile(recordFile(homeOf(ground, name)), 'utf8').catch(() => null);
  if (text === null) return null;
  // Only we write this file, beside the checkout.
  const record = JSON.parse(text) as SnapshotRecord;
  return openSnapshot(record, ground.env, { git: ground.git, onNote: ground.note }).snapshot();
}

async function shownTo(ground: Ground, tree: string) {
  const { git, commonDir: gitDir, baseCommit: base } = ground;
  const folder = await mkdtemp(join(tmpdir(), 'untildone-'));
  try {
    return await withBaseInstructions({ git, gitDir, base }, tree, join(folder, 'index'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One folder per reviewer: a client finds an interrupted session by its folder. */
function homeOf({ cacheDir, runId }: Ground, name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return join(cacheDir, 'clean', `${runId}-${mark}`);
}

function recordFile(home: string): string {
  return join(home, 'record.json');
}

/** Depth of imports, beyond that of any client. */
const depthMax = 5;

interface InstructionGround {
  readonly git: Git;
  readonly gitDir: string;
  readonly base: string;
}

interface Instructed {
  /** The tree, with the files that reviewers load taken from the base. */
  readonly tree: string;
  /** The paths that differ from the given tree. */
  readonly paths: readonly string[];
}

/**
 * Files that agents load automatically come from the base; otherwise the builder would instruct its own
 * reviewer. Contract: writes through the given index file, which no other code uses.
 */
async function withBaseInstructions(
  ground: InstructionGround,
  tree: string,
  indexFile: string,
): Promise<Instructed> {
  const { git, gitDir } = ground;
  const differing = rawEntries(await git.tell([...rawDiff, tree, ground.base], { gitDir }));
  if (differing.length === 0) return { tree, paths: [] };
  const named = await namedByInstructions(ground);
  const wrong = differing.filter(({ path }) => isInstruction(path) || named.has(path));
  if (wrong.length === 0) return { tree, paths: [] };
  // Removals come first: a folder may occupy the path of a base file.
  const ordered = wrong.toSorted((a, b) => Number(b.mode === gone) - Number(a.mode === gone));
  const lines = ordered.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`);
  const shown = await withEntries(ground, { tree, indexFile }, lines);
  return { tree: shown, paths: wrong.map(({ path }) => path) };
}

const gone = '000000';

/** Targets of links and `@path` imports, as on the base. */
async function namedByInstructions(ground: InstructionGround): Promise<Set<string>> {
  const files = await listFiles(ground, ground.base);
  const named = new Set<string>();
  let next = [...files.keys()].filter(isInstruction);
  for (let depth = 0; depth < depthMax && next.length > 0; depth += 1) {
    const found: string[] = [];
    for (const path of next) {
      const file = files.get(path) ?? '';
      const text = (await readBlob(ground, file)) ?? '';
      const words = file.startsWith('120000') ? [text] : importsOf(text);
      found.push(...words.map((word) => posix.normalize(posix.join(posix.dirname(path), word))));
    }
    next = found.filter((path) => files.has(path) && !isInstruction(path) && !named.has(path));
    for (const path of next) named.add(path);
  }
  return named;
}

/** Several agents read `@docs/style.md` as an import. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)@([\w./-]+)/g)].map((match) => (match[1] ?? '').replace(/[.,]$/, ''));
}
