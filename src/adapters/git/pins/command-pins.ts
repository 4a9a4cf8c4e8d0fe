// Pins what check commands name, and what that names in turn: scripts, recipes, links, submodules.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { absent, type AddPin, pinReaders } from '#analysis/tampering/pins/absent-pins.ts';
import { pinIncluded } from '#analysis/tampering/pins/included-pins.ts';
import {
  manifestsOf,
  nearestManifest,
  matchingScripts,
  withTasksBefore,
} from '#analysis/tampering/pins/member-scripts.ts';
import { isNamedWork, type Namer } from '#analysis/tampering/pins/named-work.ts';
import { recipeFiles, resolveIn, wordsOf } from '#analysis/tampering/pins/pin-rules.ts';
import { scriptsOf, type TreeReader } from '#analysis/tampering/pins/tree-reader.ts';
import { scriptCalls } from '#analysis/tampering/script-calls.ts';
import { type Links, resolvePath } from '#analysis/tampering/pins/links.ts';
import { submoduleAt } from './submodule-pins.ts';

// Scripts that call scripts. The test pins and the reviewers catch deeper ones.
const depthMax = 3;
const scannedFilesMax = 200;
export const scriptMark = '#scripts.';

export interface Search {
  readonly read: TreeReader;
  /** Folder of the start. */
  readonly prefix: string;
  readonly files: ReadonlyMap<string, string>;
  readonly links: Links;
  readonly scanned: Set<string>;
  readonly pin: AddPin;
  /** All followed texts: commands first, then the scripts that they start. */
  readonly texts: string[];
}

interface Trail {
  readonly cwd: string;
  readonly depth: number;
  readonly why: string;
  readonly namer: Namer;
}

/** Pins the files that a command or a script names, and those that they name in turn. */
export async function follow(search: Search, text: string, trail: Trail): Promise<void> {
  if (trail.depth > depthMax) return;
  search.texts.push(text);
  await followScripts(search, text, trail);
  const cwds = [trail.cwd, ...enteredFolders(text, trail.cwd)];
  const words = [...wordsOf(text), ...recipeFiles(text)];
  const paths = new Set(cwds.flatMap((cwd) => words.map((word) => resolveIn(cwd, word))));
  for (const path of paths) if (path !== null) await followPath(search, path, trail);
  pinReaders(search.files, text, [...new Set([...startsOf(search.prefix), ...cwds])], search.pin);
  const file = 'file' in trail.namer ? trail.namer.file : null;
  const followed = { text, folders: cwds, file, isCheck: trail.depth === 0 };
  await pinIncluded(search.read, search.files, followed, search.pin);
}

/** Pins a named file, the links that lead to it, or the submodule that holds it. */
async function followPath(search: Search, named: string, trail: Trail): Promise<void> {
  const { files, links } = search;
  const { path: real, through } = resolvePath(links, named) ?? { path: named, through: [] };
  const path = submoduleAt(files, real) ?? real;
  const hash = files.get(path);
  if (hash === undefined || isData(path)) return;
  if ([named, path].some((each) => isNamedWork(each, trail.namer))) return;
  for (const each of [...through, path]) search.pin(each, files.get(each) ?? '', trail.why);
  await followFile(search, path, hash, trail);
}

async function followFile(search: Search, path: string, hash: string, trail: Trail): Promise<void> {
  if (search.scanned.has(path) || search.scanned.size >= scannedFilesMax) return;
  search.scanned.add(path);
  const text = await search.read(hash);
  if (text === null) return;
  const next = { ...trail, depth: trail.depth + 1, namer: { file: path } };
  await follow(search, text, next);
  // A script may name files beside it instead of files in the check's folder.
  const beside = posix.dirname(path);
  if (beside !== trail.cwd) await follow(search, text, { ...next, cwd: beside === '.' ? '' : beside });
}

async function followScripts(search: Search, text: string, trail: Trail): Promise<void> {
  const { read, files } = search;
  for (const { names, members } of scriptCalls(text)) {
    for (const cwd of [trail.cwd, ...enteredFolders(text, trail.cwd)]) {
      const nearest = nearestManifest(files, cwd);
      if (nearest === null) continue;
      pinNearer(search, nearest, cwd);
      const wanted = members === 'none' ? names : await withTasksBefore(read, files, { nearest, names });
      for (const manifest of await manifestsOf(read, files, { nearest, members }))
        await followManifest(search, manifest, wanted, trail);
    }
  }
}

async function followManifest(
  search: Search,
  manifest: string,
  wanted: readonly string[],
  trail: Trail,
): Promise<void> {
  const scripts = await scriptsOf(search.read, search.files, manifest);
  const names = matchingScripts(wanted, scripts.keys());
  pinAround(search, manifest, scripts, names);
  for (const name of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
    const script = scripts.get(name);
    const path = `${manifest}${scriptMark}${name}`;
    if (script === undefined || placeholder.test(script) || search.scanned.has(path)) continue;
    search.scanned.add(path);
    search.pin(path, hashText(script), trail.why);
    const folder = posix.dirname(manifest);
    await follow(search, script, {
      ...trail,
      cwd: folder === '.' ? '' : folder,
      depth: trail.depth + 1,
      namer: { command: script },
    });
  }
}

/** The placeholder of `npm init`: there is no test yet, so the work may add one. */
const placeholder = /^echo \W*Error: no test specified\W* && exit 1$/;

/** Package managers run `pre<x>` and `post<x>` implicitly. */
function pinAround(
  { pin }: Search,
  manifest: string,
  scripts: ReadonlyMap<string, string>,
  names: readonly string[],
): void {
  for (const name of names.filter((each) => scripts.has(each)))
    for (const around of [`pre${name}`, `post${name}`])
      if (!scripts.has(around))
        pin(`${manifest}${scriptMark}${around}`, absent, `would run with the script ${name}`);
}

/** A package manager would use a manifest nearer to the check instead. */
function pinNearer({ pin }: Search, manifest: string, cwd: string): void {
  const end = posix.dirname(manifest);
  for (let folder = posix.join(cwd, '.'); folder !== end && folder !== '.'; folder = posix.dirname(folder))
    pin(posix.join(folder, 'package.json'), absent, 'would be asked instead of the one that is there');
}

const neverWhole = factsOf('pins').flatMap((each) => each.neverWhole ?? []);

/** A manifest is pinned by the script that a check uses, never whole: honest work adds dependencies. */
function isData(path: string): boolean {
  return neverWhole.some((pattern) => pattern.test(path));
}

/** `cd x && …`, `npm --prefix x …`, `make -C x …`. */
function enteredFolders(text: string, cwd: string): string[] {
  const found = text.matchAll(/(?:\bcd|--prefix|--dir|--cwd|\s-C)[ =]+["']?([\w./@-]+)/g);
  return [...found].flatMap(([, folder = '']) => resolveIn(cwd, folder) ?? []).slice(0, 10);
}

export function startsOf(prefix: string): string[] {
  return [...new Set(['', posix.join(prefix, '.').replace(/^\.$|\/\.?$/, '')])];
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
