// Proves that the work turned a check green, not the tests, fixtures, scripts and settings that came with it.
import { posix } from 'node:path';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { type Bench, openBench, type Subject, type Trial } from './bench.ts';
import { type Change, type Changes, type Span, taking } from './changed-material.ts';
import { tooSlow } from './limits.ts';
import { reportsOf } from './planting.ts';
import type { TestFiles } from './test-files.ts';

export interface Attribution {
  readonly calibration: Calibration;
  /** The check on the base with the work's test material; null if it did not run. */
  readonly onBase: Trial | null;
}

export interface AttributeOn extends Span {
  readonly changes: Changes;
  /** Null for a check that runs no test files of the repository. */
  readonly tests: TestFiles | null;
  /** The check on the untouched base; null if it did not run again. */
  readonly recheck: Trial | null;
}

/** Null if no test material changed. */
export async function attribute(
  subject: Subject,
  base: Evidence,
  on: AttributeOn,
): Promise<Attribution | null> {
  const { trees, changes, baseTree, workTree } = on;
  const { material, rest } = changes;
  if (material.length === 0) return null;
  const bench = openBench(subject, 'attribution');
  const conclude = (onBase: Trial | null, ...found: Parameters<Bench['conclude']>): Attribution => ({
    calibration: bench.conclude(...found),
    onBase,
  });
  const words = wordsFor(subject, changes);
  const { files } = words;
  const forPerson = { ...files, asks: 'person' } as const;
  const onAdded = { ...files, restsOnAddedFiles: true } as const;
  // The base ran no test, so the added tests are the work; tests that pass on the base prove nothing.
  if (rest.length === 0 && base.verdict === 'unknown' && material.every(({ status }) => status === 'added'))
    return conclude(null, 'passed', words.rests, onAdded);
  if (rest.length === 0) return conclude(null, 'refused', words.onlyMaterial, forPerson);
  const command = describeCheck(subject.criterion.check);
  const slow = tooSlow(command, Math.max(base.durationMs, subject.now.durationMs));
  if (slow !== null) return conclude(null, 'none', slow);
  const onBase = await bench.run(await trees.replace(baseTree, taking(withLocks(material, rest), workTree)));
  if (onBase === null) return conclude(null, 'none', words.noCheckout);
  if (onBase.verdict === 'pass') {
    const isSure = changes.readData.length + changes.unsure.length + changes.allowed.length === 0;
    return conclude(onBase, 'refused', words.examFlipped, isSure ? files : forPerson);
  }
  const added = broughtWith(material, on.recheck?.output ?? base.tail);
  if (added.length === 0) return conclude(onBase, 'passed', words.passed, files);
  const without = await bench.run(await trees.replace(workTree, taking(added, baseTree)));
  if (without === null) return conclude(onBase, 'none', words.noCheckout);
  if (without.verdict === 'pass') return conclude(onBase, 'passed', words.passed, files);
  const [held] = stillFailing(without, on);
  return held === undefined
    ? conclude(onBase, 'passed', words.rests, onAdded)
    : conclude(onBase, 'refused', words.held(held), forPerson);
}

/** Printed by package managers, make or just for an unknown name, and by npm's default test script. */
const noRecipe =
  /missing script|script not found|task not found|couldn't find a script|command "[^"]*" (?:is )?not (?:found|defined)|no rule to make target|does not contain recipe|no test specified/i;

/** Files that the work added, and files it changed to define the check's recipe. */
function broughtWith(material: readonly Change[], before: string): Change[] {
  // `npm test --silent` prints nothing at all.
  const isNew = before.trim() === '' || noRecipe.test(before);
  return material.filter(
    ({ path, status }) => status === 'added' || (isNew && status === 'changed' && isRecipe(path)),
  );
}

const recipes = [
  /(^|\/)((GNU)?makefile|[^/]+\.mk|\.?justfile)$/i,
  ...factsOf('pins').flatMap((each) => each.scriptManifests ?? []),
];

function isRecipe(path: string): boolean {
  return recipes.some((pattern) => pattern.test(path));
}

/**
 * Tests of the base that fail there, and that fail by an assertion on the work without its new test material.
 * If the work changed no test, a test that did not load on the base counts as the same test.
 */
function stillFailing(without: Trial, { recheck, tests, changes }: AttributeOn): string[] {
  if (recheck === null || tests === null) return [];
  const isUnchanged = changes.material.every(({ status }) => status === 'added');
  const before = reportsOf(recheck.output, tests.files);
  return [...reportsOf(without.output, tests.files)].flatMap(([runner, { failed }]) => {
    const failing = failed.filter(({ cause }) => cause === 'assertion').map(({ name }) => name);
    const old = before.get(runner)?.failed ?? [];
    if (isUnchanged && old.some(({ cause }) => cause === 'load')) return failing;
    const isOld = new Set(
      old.flatMap(({ name, cause }) => (cause === 'assertion' || isUnchanged ? [name] : [])),
    );
    return failing.filter((name) => isOld.has(name));
  });
}

const locked = factsOf('setup').filter(({ lockedManifests }) => lockedManifests !== undefined);
const lockedManifests = new Set(locked.flatMap((each) => each.lockedManifests?.split(' ') ?? []));
const lockFiles = new Set(locked.flatMap(({ locks = [] }) => locks.map(({ file }) => file)));

/** A manifest without its lock file cannot be installed. */
export function withLocks(material: readonly Change[], rest: readonly Change[]): readonly Change[] {
  if (!material.some(({ path }) => lockedManifests.has(posix.basename(path)))) return material;
  return [...material, ...rest.filter(({ path }) => lockFiles.has(posix.basename(path)))];
}

/** Names no file of a held-out check, because the builder reads these sentences. */
function wordsFor({ criterion }: Subject, { material, unsure }: Changes) {
  const isSecret = criterion.check.kind === 'held-out';
  const command = isSecret ? 'A held-out check' : `\`${describeCheck(criterion.check)}\``;
  const paths = material.map(({ path }) => path);
  const [first = ''] = paths;
  const more = paths.length === 1 ? '' : ` and ${paths.length - 1} more`;
  const named = isSecret ? 'test material' : `${first}${more}`;
  const decides = `${isSecret ? 'A changed file' : (unsure[0]?.path ?? '')} loads a test library: only a person can tell whether it is product code or test material.`;
  const addedNames = material
    .filter(({ status }) => status === 'added')
    .map(({ path }) => path)
    .slice(0, 3)
    .join(', ');
  return {
    files: isSecret ? {} : { files: paths },
    onlyMaterial:
      unsure.length > 0
        ? `${command} turned green by ${named} alone. ${decides}`
        : `${command} turned green without a change of product code: the work changed ${named} only.`,
    examFlipped: `The base passes with the work's ${named} alone${unsure.length > 0 ? `. ${decides}` : ': the test material changed, not the work.'}`,
    passed: `${command} stays red with the work's test material alone.`,
    rests: `${command} is red without the files that the work added: its flip rests on added tests.`,
    held: (test: string) =>
      `'${test}' fails without the test material that the work added (${addedNames}): the work does not pass it.`,
    noCheckout: 'The base with the new test material could not be checked out.',
  };
}
