// Files that agents load by themselves. For a reviewer they come from the base: else the builder would instruct its own judge.
import { posix } from 'node:path';
import { isInstruction } from '#analysis/tampering/pins/instruction-files.ts';
import { type Git } from '#adapters/git/repo/git.ts';
import { listFiles, readBlob } from '#adapters/git/trees/pin-tree.ts';
import { rawDiff, rawEntries } from '#adapters/git/trees/tree-change.ts';
import { withEntries } from '#adapters/git/trees/trees.ts';

/** A file that names a file that names a file: further than any client follows. */
const depthMax = 5;

export interface InstructionGround {
  readonly git: Git;
  readonly gitDir: string;
  readonly base: string;
}

export interface Instructed {
  /** The tree with what reviewers load as it is on the base. */
  readonly tree: string;
  /** The paths in which it differs from the tree that was given. */
  readonly paths: readonly string[];
}

/** Contract: writes through the index file given, which is nobody else's. */
export async function withBaseInstructions(
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
  // What goes comes first: a folder may stand where the base has a file.
  const ordered = wrong.toSorted((a, b) => Number(b.mode === gone) - Number(a.mode === gone));
  const lines = ordered.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`);
  const shown = await withEntries(ground, { tree, indexFile }, lines);
  return { tree: shown, paths: wrong.map(({ path }) => path) };
}

const gone = '000000';

/** Targets of links and `@path` imports, as they stand on the base. */
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

/** `@docs/style.md`, as several agents read it. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)@([\w./-]+)/g)].map((match) => (match[1] ?? '').replace(/[.,]$/, ''));
}
