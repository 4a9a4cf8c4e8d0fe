// Files that decide the checks, as they were on the base. Read from the tree, never from a checkout.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { BrokenPin, Criterion, Pin } from '#kernel/criterion.ts';
import { type Git, split } from './git.ts';
import { packageScripts, recipeFiles, resolveIn, whyPinned, wordsOf } from './pin-rules.ts';

// A script that calls a script that calls a script; deeper ones are caught by the tests and the reviewers.
const depthMax = 3;
const scannedBytesMax = 256 * 1024;
const scannedFilesMax = 200;
const scriptMark = '#scripts.';

export interface PinGround {
  readonly git: Git;
  readonly gitDir: string;
  /** Folder of the start, which a criterion's own folder is relative to. */
  readonly prefix: string;
}

export async function computePins(
  ground: PinGround,
  tree: string,
  criteria: readonly Criterion[],
): Promise<Pin[]> {
  const files = await listFiles(ground, tree);
  const pins = new Map<string, Pin>();
  const pin = (path: string, hash: string, why: string): void => {
    if (!pins.has(path)) pins.set(path, { path, hash, why });
  };
  const search: Search = { ground, files, scanned: new Set(), pin };
  for (const criterion of criteria) {
    if (criterion.check.kind !== 'command') continue;
    const cwd = posix.join(ground.prefix, criterion.check.cwd);
    await follow(search, criterion.check.run, {
      cwd,
      depth: 0,
      why: `used by the check \`${criterion.check.run}\``,
    });
  }
  for (const [path, hash] of files) {
    const why = whyPinned(path);
    if (why !== null) pin(path, hash, why);
  }
  return [...pins.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export async function findBrokenPins(
  ground: PinGround,
  pins: readonly Pin[],
  tree: string,
  mayChange: readonly string[],
): Promise<BrokenPin[]> {
  if (pins.length === 0) return [];
  const files = await listFiles(ground, tree);
  const isAllowed = mayChange.length === 0 ? () => false : picomatch([...mayChange], { dot: true });
  const broken: BrokenPin[] = [];
  for (const { path, hash, why } of pins) {
    const now = await hashNow(ground, files, path);
    const isFree = isAllowed(path) || isAllowed(path.split('#')[0] ?? path);
    if (now !== hash && !isFree) broken.push({ path, change: now === null ? 'deleted' : 'changed', why });
  }
  return broken;
}

interface Search {
  readonly ground: PinGround;
  readonly files: ReadonlyMap<string, string>;
  readonly scanned: Set<string>;
  readonly pin: (path: string, hash: string, why: string) => void;
}

interface Trail {
  readonly cwd: string;
  readonly depth: number;
  readonly why: string;
}

/** Pins what a command or a script names, and what that names in turn. */
async function follow(search: Search, text: string, trail: Trail): Promise<void> {
  if (trail.depth > depthMax) return;
  await followScripts(search, text, trail);
  const cwds = [trail.cwd, ...enteredFolders(text, trail.cwd)];
  const words = [...wordsOf(text), ...recipeFiles(text)];
  const paths = new Set(cwds.flatMap((cwd) => words.map((word) => resolveIn(cwd, word))));
  for (const path of paths) {
    const hash = path === null ? undefined : search.files.get(path);
    if (path === null || hash === undefined || isData(path)) continue;
    search.pin(path, hash, trail.why);
    await followFile(search, path, hash, trail);
  }
}

async function followFile(search: Search, path: string, hash: string, trail: Trail): Promise<void> {
  if (search.scanned.has(path) || search.scanned.size >= scannedFilesMax) return;
  search.scanned.add(path);
  const text = await readBlob(search.ground, hash);
  if (text === null) return;
  const next = { ...trail, depth: trail.depth + 1 };
  await follow(search, text, next);
  // A script may name its neighbours instead of starting from the folder of the check.
  const beside = posix.dirname(path);
  if (beside !== trail.cwd) await follow(search, text, { ...next, cwd: beside === '.' ? '' : beside });
}

async function followScripts(search: Search, text: string, trail: Trail): Promise<void> {
  const names = packageScripts(text);
  if (names.length === 0) return;
  for (const cwd of [trail.cwd, ...enteredFolders(text, trail.cwd)]) {
    const manifest = nearestManifest(search.files, cwd);
    if (manifest === null) continue;
    const scripts = await scriptsOf(search.ground, search.files, manifest);
    for (const name of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
      const script = scripts.get(name);
      const path = `${manifest}${scriptMark}${name}`;
      if (script === undefined || search.scanned.has(path)) continue;
      search.scanned.add(path);
      search.pin(path, hashText(script), trail.why);
      const folder = posix.dirname(manifest);
      await follow(search, script, { ...trail, cwd: folder === '.' ? '' : folder, depth: trail.depth + 1 });
    }
  }
}

/** A manifest is pinned by the script that a check uses, never whole: honest work adds dependencies. */
function isData(path: string): boolean {
  return /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.(toml|lock)|go\.(mod|sum)|pyproject\.toml)$/.test(
    path,
  );
}

/** `cd x && …`, `npm --prefix x …`, `make -C x …`. */
function enteredFolders(text: string, cwd: string): string[] {
  const found = text.matchAll(/(?:\bcd|--prefix|--dir|--cwd|\s-C)[ =]+["']?([\w./@-]+)/g);
  return [...found].flatMap(([, folder = '']) => resolveIn(cwd, folder) ?? []).slice(0, 10);
}

function nearestManifest(files: ReadonlyMap<string, string>, cwd: string): string | null {
  for (let folder = cwd; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'package.json');
    if (files.has(path)) return path;
    if (folder === '' || folder === '.') return null;
  }
}

async function hashNow(
  ground: PinGround,
  files: ReadonlyMap<string, string>,
  path: string,
): Promise<string | null> {
  const at = path.indexOf(scriptMark);
  if (at < 0) return files.get(path) ?? null;
  const scripts = await scriptsOf(ground, files, path.slice(0, at));
  const script = scripts.get(path.slice(at + scriptMark.length));
  return script === undefined ? null : hashText(script);
}

async function scriptsOf(
  ground: PinGround,
  files: ReadonlyMap<string, string>,
  manifest: string,
): Promise<Map<string, string>> {
  const hash = files.get(manifest);
  const text = hash === undefined ? null : await readBlob(ground, hash);
  if (text === null) return new Map();
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts: unknown =
      typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : null;
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return new Map();
  }
}

/** Mode and object of every file: a test that became a link or lost its contents differs. */
async function listFiles({ git, gitDir }: PinGround, tree: string): Promise<Map<string, string>> {
  const entries = split(await git.tell(['ls-tree', '-r', '-z', '--full-tree', tree], { gitDir }));
  const files = entries.flatMap((entry): [string, string][] => {
    const match = /^(100644|100755|120000) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry);
    return match === null ? [] : [[match[3] ?? '', match[2] ?? '']];
  });
  return new Map(files);
}

async function readBlob({ git, gitDir }: PinGround, hash: string): Promise<string | null> {
  const size = Number(await git.tell(['cat-file', '-s', hash], { gitDir }));
  if (size > scannedBytesMax) return null;
  const text = await git.tell(['cat-file', 'blob', hash], { gitDir });
  return text.includes('\0') ? null : text;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
