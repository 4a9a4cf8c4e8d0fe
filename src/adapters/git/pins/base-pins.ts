// A tree with every broken pin restored from the base, to see what the checks say of the work alone.
import { posix } from 'node:path';
import { isRecord } from '#base/record.ts';
import { entryLine, withEntries } from '#adapters/git/trees/trees.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';
import { listFiles, readBlob } from '#adapters/git/trees/pin-tree.ts';
import type { PinGround } from './pin-context.ts';

type Files = ReadonlyMap<string, string>;

/** Contract: writes through the given index file, which no other code uses. */
export async function withBasePins(
  ground: PinGround,
  tree: string,
  broken: readonly BrokenPin[],
  indexFile: string,
): Promise<string> {
  const [base, now] = await Promise.all([listFiles(ground, ground.base), listFiles(ground, tree)]);
  const lines: string[] = [];
  // Paths outside of the repository are in neither tree.
  for (const { path } of broken)
    if (!path.includes('#') && (base.has(path) || now.has(path)))
      lines.push(entryLine(path, base.get(path), tree));
  for (const [path, keys] of brokenManifests(broken)) {
    const isInTree = base.has(path) || now.has(path);
    if (isInTree) lines.push(entryLine(path, await mended(ground, { path, keys, base, now }), tree));
  }
  return withEntries(ground, { tree, indexFile }, lines);
}

function brokenManifests(broken: readonly BrokenPin[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path } of broken) {
    const [file = '', key] = path.split(/#(.*)/s);
    if (key !== undefined) found.set(file, [...(found.get(file) ?? []), key]);
  }
  return found;
}

interface Manifest {
  readonly path: string;
  readonly keys: readonly string[];
  readonly base: Files;
  readonly now: Files;
}

/** A package keeps its new dependencies; other manifests are taken whole. Undefined if the base has none. */
async function mended(ground: PinGround, { path, keys, base, now }: Manifest): Promise<string | undefined> {
  const [old, present] = [base.get(path), now.get(path)];
  if (old === undefined || present === undefined) return old;
  if (posix.basename(path) !== 'package.json') return old;
  const [before, after] = [await readJson(ground, old), await readJson(ground, present)];
  if (before === null || after === null) return old;
  for (const key of keys) copyKey(before, after, keyPath(key));
  const input = `${JSON.stringify(after, null, 2)}\n`;
  const blob = await ground.git.tell(['hash-object', '-w', '--stdin'], { gitDir: ground.gitDir, input });
  return `100644 ${blob}`;
}

type Json = { [key: string]: unknown };

/** The keys of a package section. An entry of a list stands for the whole list. */
function keyPath(section: string): string[] {
  if (section.startsWith('members.')) return ['workspaces'];
  if (section.startsWith('exports.')) return ['exports'];
  return section.split(/\.(.*)/s).filter((part) => part !== '');
}

function copyKey(from: Json, to: Json, [key = '', inner]: readonly string[]): void {
  const [old, now] = [from[key], to[key]];
  if (inner !== undefined && isRecord(now)) copyKey(isRecord(old) ? old : {}, now, [inner]);
  else if (old === undefined) delete to[key];
  else to[key] = old;
}

async function readJson(ground: PinGround, file: string): Promise<Json | null> {
  try {
    const value: unknown = JSON.parse((await readBlob(ground, file)) ?? '');
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
