// Files that decide the checks, as they were on the base. Read from the tree, never from a checkout.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { judgeOf } from '#kernel/check.ts';
import type { BrokenPin, Criterion, Pin } from '#kernel/criterion.ts';
import { absent, brokenAbsence, notThere, pinReaders, pinRunners } from './absent-pins.ts';
import { isNamedWork, type Namer } from './named-work.ts';
import { brokenOutside, isOutsidePin, outsidePins } from './outside-pins.ts';
import type { OutsidePlace } from './outside-rules.ts';
import { packageScripts, readByRunner, recipeFiles, resolveIn, whyPinned, wordsOf } from './pin-rules.ts';
import { listFiles, readBlob, scriptsOf, type TreeGround } from './pin-tree.ts';
import { brokenBySteering, isSteeringPin, steeringPins } from './steering.ts';
import { withContents } from './pin-contents.ts';

// A script that calls a script that calls a script; deeper ones are caught by the tests and the reviewers.
const depthMax = 3;
const scannedFilesMax = 200;
const scriptMark = '#scripts.';

export interface PinGround extends TreeGround {
  /** What the pins were taken from, as a commit or a tree. */
  readonly base: string;
  /** Folder of the start, which a criterion's own folder is relative to. */
  readonly prefix: string;
  /** Absent where an agent cannot reach what lies around the repository. */
  readonly outside?: OutsidePlace;
}

export async function computePins(ground: PinGround, criteria: readonly Criterion[]): Promise<Pin[]> {
  const files = await listFiles(ground, ground.base);
  const pins = new Map<string, Pin>();
  const pin = (path: string, hash: string, why: string): void => {
    if (!pins.has(path)) pins.set(path, { path, hash, why });
  };
  const texts = criteria.flatMap(({ check }) => judgeOf(check)?.run ?? []);
  const search: Search = { ground, files, scanned: new Set(), pin, texts };
  for (const criterion of criteria) {
    const judge = judgeOf(criterion.check);
    if (judge === null) continue;
    const cwd = posix.join(ground.prefix, judge.cwd);
    await follow(search, judge.run, {
      cwd,
      depth: 0,
      why: `used by the check \`${judge.run}\``,
      namer: { command: judge.run },
    });
    // A script that is not there yet would be written by the one whom it judges.
    const script = criterion.check.kind === 'browser' ? posix.join(cwd, judge.run) : null;
    if (script !== null && !files.has(script)) pin(script, absent, 'would decide a check');
  }
  for (const [path, hash] of files) {
    const why = whyPinned(path);
    if (why !== null) pin(path, hash, why);
  }
  const runners = await namedRunners(ground, files, criteria);
  pinRunners(files, { folders: startsOf(ground), runners }, pin);
  for (const { path, hash, why } of steeringPins) pin(path, hash, why);
  if (ground.outside !== undefined)
    for (const { path, hash, why } of outsidePins(ground.outside, texts)) pin(path, hash, why);
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
  const base = await listFiles(ground, ground.base);
  const matches = mayChange.length === 0 ? () => false : picomatch([...mayChange], { dot: true });
  const isAllowed = (path: string): boolean => matches(path) || mayChange.includes(path);
  const broken = new Map<string, BrokenPin>();
  for (const pin of pins.filter((each) => !isOutsidePin(each))) {
    for (const each of await changesOf(ground, pin, base, files)) {
      const isFree = isAllowed(each.path) || isAllowed(each.path.split('#')[0] ?? each.path);
      const isNew = !broken.has(each.path) || broken.get(each.path)?.isSuspicion === true;
      if (!isFree && isNew) broken.set(each.path, each);
    }
  }
  const around = ground.outside === undefined ? [] : brokenOutside(ground.outside.home, pins, mayChange);
  return [...(await withContents(ground, [...broken.values()], base, files)), ...around];
}

async function changesOf(ground: PinGround, pin: Pin, base: Files, files: Files): Promise<BrokenPin[]> {
  if (isSteeringPin(pin)) return brokenBySteering(ground, pin, { base, now: files });
  const isPlainAbsence = pin.hash === absent && !pin.path.includes(scriptMark);
  if (isPlainAbsence) return brokenAbsence(pin, base, files);
  return toChange(pin, await hashNow(ground, files, pin.path));
}

type Files = ReadonlyMap<string, string>;

function toChange({ path, hash, why }: Pin, now: string | null): BrokenPin[] {
  if (hash === (now ?? absent)) return [];
  if (hash === absent) return [{ path, change: 'added', why: notThere(path, why) }];
  return [{ path, change: now === null ? 'deleted' : 'changed', why }];
}

/** In a check, a manifest or a recipe. */
async function namedRunners(
  ground: PinGround,
  files: Files,
  criteria: readonly Criterion[],
): Promise<Set<string>> {
  const isTelling = /(^|\/)(package\.json|GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|[^/]+\.sh)$/;
  const telling = [...files].filter(([path]) => isTelling.test(path));
  const runners = Object.keys(readByRunner);
  // Too many to read each: then any may well be there.
  if (telling.length > 20) return new Set(runners);
  const commands = criteria.map(({ check }) => judgeOf(check)?.run ?? '');
  const texts = await Promise.all(telling.map(([, file]) => readBlob(ground, file)));
  return new Set(
    runners.filter((runner) => [...commands, ...texts].some((text) => text?.includes(runner) !== false)),
  );
}

/** The root, and the folder of the start. */
function startsOf({ prefix }: PinGround): string[] {
  return [...new Set(['', posix.join(prefix, '.').replace(/^\.$|\/\.?$/, '')])];
}

interface Search {
  readonly ground: PinGround;
  readonly files: ReadonlyMap<string, string>;
  readonly scanned: Set<string>;
  readonly pin: (path: string, hash: string, why: string) => void;
  /** All that was followed: commands first, then what they start. */
  readonly texts: string[];
}

interface Trail {
  readonly cwd: string;
  readonly depth: number;
  readonly why: string;
  readonly namer: Namer;
}

/** Pins what a command or a script names, and what that names in turn. */
async function follow(search: Search, text: string, trail: Trail): Promise<void> {
  if (trail.depth > depthMax) return;
  search.texts.push(text);
  await followScripts(search, text, trail);
  const cwds = [trail.cwd, ...enteredFolders(text, trail.cwd)];
  const words = [...wordsOf(text), ...recipeFiles(text)];
  const paths = new Set(cwds.flatMap((cwd) => words.map((word) => resolveIn(cwd, word))));
  for (const path of paths) {
    const hash = path === null ? undefined : search.files.get(path);
    if (path === null || hash === undefined || isData(path) || isNamedWork(path, trail.namer)) continue;
    search.pin(path, hash, trail.why);
    await followFile(search, path, hash, trail);
  }
  pinReaders(search.files, text, [...new Set([...startsOf(search.ground), ...cwds])], search.pin);
}

async function followFile(search: Search, path: string, hash: string, trail: Trail): Promise<void> {
  if (search.scanned.has(path) || search.scanned.size >= scannedFilesMax) return;
  search.scanned.add(path);
  const text = await readBlob(search.ground, hash);
  if (text === null) return;
  const next = { ...trail, depth: trail.depth + 1, namer: { file: path } };
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
    pinNearer(search, manifest, cwd);
    const scripts = await scriptsOf(search.ground, search.files, manifest);
    pinAround(search, manifest, scripts, names);
    for (const name of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
      const script = scripts.get(name);
      const path = `${manifest}${scriptMark}${name}`;
      if (script === undefined || search.scanned.has(path)) continue;
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
}

/** Packagers run `pre<x>` and `post<x>` without being told. */
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

/** A manifest nearer to the check would be asked instead. */
function pinNearer({ pin }: Search, manifest: string, cwd: string): void {
  const end = posix.dirname(manifest);
  for (let folder = posix.join(cwd, '.'); folder !== end && folder !== '.'; folder = posix.dirname(folder))
    pin(posix.join(folder, 'package.json'), absent, 'would be asked instead of the one that is there');
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

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
