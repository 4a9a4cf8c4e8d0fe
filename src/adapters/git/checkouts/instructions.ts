// Files that agents load by themselves. For a reviewer they come from the base: else the builder would instruct its own judge.
import { posix } from 'node:path';
import { isInstruction } from '#analysis/tampering/pins/instruction-files.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';
import { listFiles, readBlob } from '#adapters/git/trees/pin-tree.ts';

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
  const differing = await differences(ground, tree);
  if (differing.length === 0) return { tree, paths: [] };
  const named = await namedByInstructions(ground);
  const wrong = differing.filter(({ path }) => isInstruction(path) || named.has(path));
  if (wrong.length === 0) return { tree, paths: [] };
  const place = { gitDir, indexFile };
  await git.tell(['read-tree', tree], place);
  // What goes comes first: a folder may stand where the base has a file.
  const ordered = wrong.toSorted((a, b) => Number(b.mode === gone) - Number(a.mode === gone));
  const input = ordered.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`).join('');
  await git.tell(['update-index', '-z', '--index-info'], { ...place, input });
  return { tree: await git.tell(['write-tree'], place), paths: wrong.map(({ path }) => path) };
}

const gone = '000000';

interface OnBase {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
}

async function differences({ git, gitDir, base }: InstructionGround, tree: string): Promise<OnBase[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', tree, base];
  const parts = split(await git.tell(args, { gitDir }));
  const found: OnBase[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , object = ''] = (parts[at] ?? '').slice(1).split(' ');
    found.push({ path: parts[at + 1] ?? '', mode, object });
  }
  return found;
}

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
