// Pins the files that decide the checks, as they were on the base. Reads the tree, never a checkout.
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { follow, hashText, scriptMark, type Search, startsOf } from './command-pins.ts';
import { submoduleMark, submodulePins, submoduleSettings } from './submodule-pins.ts';
import { readTests, sayingHow, testPins } from './test-pins.ts';
import { judgeOf } from '#kernel/model/check.ts';
import type { BrokenPin, Criterion, Pin } from '#kernel/model/criterion.ts';
import { brokenByAttributes } from './attribute-pins.ts';
import { absent, brokenAbsence, pinRunners } from '#analysis/tampering/pins/absent-pins.ts';
import { notThere } from '#analysis/tampering/pins/not-there.ts';
import { brokenModules, isModulePin } from '#analysis/tampering/pins/included-pins.ts';
import { brokenOutside, isOutsidePin, outsidePins } from './outside-pins.ts';
import type { PinGround } from './pin-context.ts';
import { readByRunner, whyPinned } from '#analysis/tampering/pins/pin-rules.ts';
import { listFiles, treeReader } from '#adapters/git/trees/pin-tree.ts';
import { scriptsOf, textOf, type TreeReader } from '#analysis/tampering/pins/tree-reader.ts';
import { leadsOut, namedOutside } from './outside.ts';
import { brokenBySteering, isSteeringPin, steeringPins } from '#analysis/tampering/pins/derived-pins.ts';
import { withContents } from './pin-contents.ts';
import { split } from '#adapters/git/repo/git.ts';

/** `goals`: the purpose of the work, as a person wrote it. */
export async function computePins(
  ground: PinGround,
  criteria: readonly Criterion[],
  goals: readonly string[] = [],
): Promise<Pin[]> {
  const files = await listFiles(ground, ground.base);
  const pins = new Map<string, Pin>();
  const pin = (path: string, hash: string, why: string): void => {
    if (!pins.has(path)) pins.set(path, { path, hash, why });
  };
  const commands = criteria.flatMap(({ check }) => judgeOf(check)?.run ?? []);
  const texts = await readTests(ground, files);
  const read = treeReader(ground, texts.byObject);
  const search: Search = {
    read,
    prefix: ground.prefix,
    files,
    links: texts.links,
    scanned: new Set(),
    pin,
    texts: commands,
  };
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
    // A missing script would be written by the builder that it judges.
    const script = criterion.check.kind === 'browser' ? posix.join(cwd, judge.run) : null;
    if (script !== null && !files.has(script)) pin(script, absent, 'would decide a check');
  }
  for (const [path, hash] of files) {
    const why = whyPinned(path);
    if (why !== null) pin(path, hash, why);
  }
  const used = new Set(pins.keys());
  const tests = [...testPins(files, texts, goals), ...(await submodulePins(ground, files, used))];
  for (const { path, hash, why } of tests) pin(path, hash, why);
  const runners = await namedRunners(read, files, criteria);
  pinRunners(files, { folders: startsOf(ground.prefix), runners }, pin);
  for (const { path, hash, why } of steeringPins) pin(path, hash, why);
  if (ground.outside !== undefined)
    for (const { path, hash, why } of outsidePins(ground.outside, commands)) pin(path, hash, why);
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
  const add = (each: BrokenPin): void => {
    const isFree = isAllowed(each.path) || isAllowed(each.path.split('#')[0] ?? each.path);
    const isNew = !broken.has(each.path) || broken.get(each.path)?.isSuspicion === true;
    if (!isFree && isNew) broken.set(each.path, each);
  };
  const own = pins.filter((each) => !isOutsidePin(each));
  for (const pin of own) for (const each of await changesOf(ground, pin, base, files)) add(each);
  for (const each of await brokenByAttributes(ground, own, { base, now: files })) add(each);
  const around = ground.outside === undefined ? [] : brokenOutside(ground.outside.home, pins, mayChange);
  const changed = await withContents(ground, [...broken.values()], base, files);
  return [...(await withRenames(ground, changed, tree)), ...around];
}

async function changesOf(ground: PinGround, pin: Pin, base: Files, files: Files): Promise<BrokenPin[]> {
  if (isModulePin(pin)) return brokenModules(pin, { base, now: files });
  if (isSteeringPin(pin))
    return brokenBySteering(treeReader(ground), pin, { base, now: files }, { leadsOut, namedOutside });
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

/** Runners that a check, a manifest or a recipe names. */
async function namedRunners(
  read: TreeReader,
  files: Files,
  criteria: readonly Criterion[],
): Promise<Set<string>> {
  const telling = [...files].filter(([path]) => sayingHow.test(path));
  const runners = Object.keys(readByRunner);
  // Too many to read: assume all runners.
  if (telling.length > 20) return new Set(runners);
  const commands = criteria.map(({ check }) => judgeOf(check)?.run ?? '');
  const texts = await Promise.all(telling.map(([, file]) => read(file)));
  return new Set(
    runners.filter((runner) => [...commands, ...texts].some((text) => text?.includes(runner) !== false)),
  );
}

async function hashNow(
  ground: PinGround,
  files: ReadonlyMap<string, string>,
  path: string,
): Promise<string | null> {
  if (path.startsWith(submoduleMark))
    return submoduleSettings(
      await textOf(treeReader(ground), files, '.gitmodules'),
      path.slice(submoduleMark.length),
    );
  const at = path.indexOf(scriptMark);
  if (at < 0) return files.get(path) ?? null;
  const scripts = await scriptsOf(treeReader(ground), files, path.slice(0, at));
  const script = scripts.get(path.slice(at + scriptMark.length));
  return script === undefined ? null : hashText(script);
}

/** Finds deleted pinned files with their content in a new file: a person decides on a rename, no deletion. */
async function withRenames(
  { git, gitDir, base }: PinGround,
  broken: readonly BrokenPin[],
  tree: string,
): Promise<BrokenPin[]> {
  if (!broken.some(({ change }) => change === 'deleted')) return [...broken];
  const args = ['diff-tree', '-r', '-z', '-M', '--name-status', '--diff-filter=R', base, tree];
  const { code, stdout } = await git.ask(args, { gitDir });
  const renames = code === 0 ? renamesIn(split(stdout)) : new Map<string, never>();
  return broken.map((pin) => {
    const renamedTo = pin.change === 'deleted' ? renames.get(pin.path) : undefined;
    return renamedTo === undefined ? pin : { ...pin, renamedTo };
  });
}

/** Fields: `R087`, the old path, the new path, and so on. */
function renamesIn(fields: readonly string[]): Map<string, NonNullable<BrokenPin['renamedTo']>> {
  const renames = new Map<string, NonNullable<BrokenPin['renamedTo']>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [status = '', from = '', path = ''] = fields.slice(at, at + 3);
    renames.set(from, { path, similarPercent: Number(status.slice(1)) });
  }
  return renames;
}
