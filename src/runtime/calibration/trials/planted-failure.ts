// A failing test in each test file must turn the check red, by name, and change no other test.
import { describeCheck } from '#kernel/model/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { type Bench, openBench, type Subject, type Trial } from '#runtime/calibration/bench.ts';
import type { Span } from '#runtime/calibration/changed-material.ts';
import { tooSlow } from '#runtime/calibration/limits.ts';
import {
  failedNames,
  isWholly,
  nameAnywhere,
  plantedChanges,
  type PlantedFile,
  type PlantedReport,
  plantIn,
  readPlanted,
  reportsOf,
} from '#runtime/calibration/planting.ts';
import { leftOut } from '#analysis/calibration/selected-tests.ts';
import { type ChangedByComment, failsWithComment, silencedFiles } from './silenced-files.ts';
import { type TestFile, textsIn, type TrialInput } from '#runtime/calibration/test-files.ts';

/** Runs with a single file; more would cost more than they show. */
const singlesMax = 5;

export interface PlantOn extends TrialInput {
  /** Files in which a planted failure was already noticed on the base. */
  readonly noticedOnBase: readonly string[];
}

export interface PlantedOutcome {
  readonly calibration: Calibration;
  /** Files whose planted failures were all named. */
  readonly noticed: ReadonlySet<string>;
}

export async function plantFailures(subject: Subject, on: PlantOn): Promise<PlantedOutcome> {
  const bench = openBench(subject, 'planted-failure');
  const words = wordsFor(subject);
  const none = (reason: string): PlantedOutcome => ({
    calibration: bench.conclude('none', reason),
    noticed: new Set(),
  });
  const slow = tooSlow(words.command, subject.now.durationMs);
  if (slow !== null) return none(slow);
  const planted = plantIn(on.tests.files, on.tests.context);
  if (planted.length === 0) return none(words.noPlace);
  const found = await tryPlanted(bench, on, planted);
  if (found === null) return none(words.noCheckout);
  const missed = planted.filter(({ path }) => !found.noticed.has(path));
  const isClean = missed.length + found.others.length === 0;
  // If the base could not be tried again, the end of its check's earlier output must do.
  const baseOutput = on.recheck?.output ?? subject.base?.tail ?? '';
  const onBase = isClean ? nothingOnBase : await tryOnBase(bench, on, { planted, missed, baseOutput });
  const silenced = await silencedIn(bench, on, { found, onBase, missed });
  const excused = new Set(onBase.others);
  const others = found.others.filter((name) => !excused.has(name));
  const known = { found, onBase, planted: planted.length, silenced };
  if (silenced.length > 0)
    return { calibration: bench.conclude(...judge(known, words)), noticed: found.noticed };
  const failing = await failAgain(bench, on, planted, others);
  const unnamed = missed.filter(
    ({ path }) => !found.unnoticed.has(path) && (found.named.get(path) ?? []).length === 0,
  );
  const about = { files: unnamed, output: subject.now.tail, excused };
  const changed = failing.length > 0 ? null : await failsWithComment(bench, on, about);
  const verdict = judge({ ...known, others: failing, changed }, words);
  return { calibration: bench.conclude(...verdict), noticed: found.noticed };
}

/** Files whose planted failures the base names and the work does not, or that only a broken file exposes. */
async function silencedIn(
  bench: Bench,
  on: PlantOn,
  { found, onBase, missed }: { found: Tried; onBase: OnBase; missed: readonly PlantedFile[] },
): Promise<readonly string[]> {
  const byName = missed.filter(({ path }) => isSilenced(path, found, onBase));
  if (onBase.staysGreen || onBase.leavesOut) return byName.map(({ path }) => path);
  const others = await silencedFiles(bench, on, {
    missed: missed.filter((file) => found.unnoticed.has(file.path) && !byName.includes(file)),
    isAnyNoticed: found.noticed.size > 0,
    context: on.tests.context,
    recheck: on.recheck,
  });
  return [...byName.map(({ path }) => path), ...others];
}

/** A test may be flaky, so one run does not decide: only tests that fail again with the plant count. */
async function failAgain(
  bench: Bench,
  { trees, workTree }: Span,
  planted: readonly PlantedFile[],
  others: readonly string[],
): Promise<readonly string[]> {
  if (others.length === 0) return [];
  const trial = await bench.run(await trees.replace(workTree, plantedChanges(planted)));
  const again = new Set(trial === null ? [] : readPlanted(trial, planted).others);
  return others.filter((name) => again.has(name));
}

interface Judged {
  readonly found: Tried;
  readonly onBase: OnBase;
  readonly planted: number;
  readonly silenced: readonly string[];
  /** Tests that fail beside a planted failure, in two runs, and not on the base. */
  readonly others?: readonly string[];
  readonly changed?: ChangedByComment | null;
}

function judge(
  { found, onBase, planted, silenced, others = [], changed = null }: Judged,
  words: ReturnType<typeof wordsFor>,
): [Calibration['verdict'], string, Pick<Calibration, 'files' | 'asks'>] {
  if (silenced.length > 0 && silenced.every((path) => found.ignored.has(path)))
    return ['refused', words.ignored(silenced), { files: silenced, asks: 'person' }];
  if (silenced.length > 0)
    return [
      'refused',
      silenced.some((path) => found.unnoticed.has(path)) ? words.green(silenced) : words.unnamed(silenced),
      { files: silenced },
    ];
  if (others.length > 0) return ['refused', words.others(others), {}];
  if (changed?.isReported === true)
    return ['refused', words.changed(changed.files), { files: changed.files }];
  // The tests no longer run. A step of the check that only the work reaches may also reject the comment.
  if (changed !== null)
    return ['refused', words.stopped(changed.files), { files: changed.files, asks: 'person' }];
  const files = [...found.noticed];
  if (files.length === 0)
    return ['none', found.isGreen ? words.staysGreen(onBase.staysGreen) : words.redUnnamed, {}];
  return ['passed', words.passed(files.length, planted), { files }];
}

export interface Tried {
  readonly isGreen: boolean;
  readonly noticed: ReadonlySet<string>;
  readonly named: PlantedReport['named'];
  readonly others: readonly string[];
  /** Files with whose planted failures the check stays green. */
  readonly unnoticed: ReadonlySet<string>;
  /** Named, but green: the check ignores its tests, or the work their exit code. A person must decide. */
  readonly ignored: ReadonlySet<string>;
}

/** All files at once. If the check stops at its first failure, one file at a time. */
export async function tryPlanted(
  bench: Bench,
  { trees, workTree }: Span,
  planted: readonly PlantedFile[],
): Promise<Tried | null> {
  const trial = await bench.run(await trees.replace(workTree, plantedChanges(planted)));
  if (trial === null) return null;
  const report = readPlanted(trial, planted);
  const isGreen = trial.verdict === 'pass';
  // Named but green: a reader of the exit code sees nothing.
  const whole = new Set(planted.filter((file) => isWholly(file, report)).map(({ path }) => path));
  const noticed = new Set(isGreen ? [] : whole);
  const named = new Map(isGreen ? [] : report.named);
  const unnoticed = new Set(isGreen ? planted.map(({ path }) => path) : []);
  const singles = isGreen || planted.length === 1 ? [] : singlesOf(trial, planted, noticed);
  for (const file of singles) {
    const single = await bench.run(await trees.replace(workTree, plantedChanges([file])));
    if (single?.verdict === 'pass') unnoticed.add(file.path);
    if (single === null || single.verdict === 'pass') continue;
    const alone = readPlanted(single, [file]);
    named.set(file.path, alone.named.get(file.path) ?? []);
    if (isWholly(file, alone)) noticed.add(file.path);
  }
  return { isGreen, noticed, named, others: report.others, unnoticed, ignored: isGreen ? whole : new Set() };
}

/** Files that the check read come first: others may belong to another check, or come after its stop. */
function singlesOf(
  { reads }: Trial,
  planted: readonly PlantedFile[],
  noticed: ReadonlySet<string>,
): PlantedFile[] {
  const left = planted.filter(({ path }) => !noticed.has(path));
  const isRead = ({ path }: PlantedFile): boolean => reads?.includes(path) === true;
  return [...left.filter(isRead), ...left.filter((file) => !isRead(file))].slice(0, singlesMax);
}

interface OnBase {
  readonly named: PlantedReport['named'];
  /** Tests that fail there beside a planted failure, and not without one. */
  readonly others: readonly string[];
  /** The check is also green there with planted failures. */
  readonly staysGreen: boolean;
  /** It skips more tests there than without the planted ones, so it selects tests by name. */
  readonly leavesOut: boolean;
}

const nothingOnBase: OnBase = { named: new Map(), others: [], staysGreen: false, leavesOut: false };

interface BaseTrial {
  readonly planted: readonly PlantedFile[];
  readonly missed: readonly PlantedFile[];
  /** The check's output on the untouched base. */
  readonly baseOutput: string;
}

/** Repeats the trial on the base: a failure that is missed there too is not the work's doing. */
async function tryOnBase(
  bench: Bench,
  on: PlantOn,
  { planted, missed, baseOutput }: BaseTrial,
): Promise<OnBase> {
  const { trees, baseTree, tests, noticedOnBase } = on;
  const known = new Map(
    missed.flatMap(({ path, failures }): [string, number[]][] =>
      noticedOnBase.includes(path) ? [[path, failures.map((_, place) => place)]] : [],
    ),
  );
  if (missed.length > 0 && known.size === missed.length) return { ...nothingOnBase, named: known };
  const old = await textsIn(on, baseTree, planted);
  const files = planted.flatMap(({ path, runner }): TestFile[] => {
    const text = old.get(path);
    return text === undefined ? [] : [{ path, text, runner }];
  });
  const there = plantIn(files, tests.context);
  if (there.length === 0) return nothingOnBase;
  const trial = await bench.run(await trees.replace(baseTree, plantedChanges(there)));
  if (trial === null || trial.verdict === 'pass') return { ...nothingOnBase, staysGreen: trial !== null };
  const report = readPlanted(trial, there);
  const before = new Set(failedNames(reportsOf(baseOutput, there)).map(nameAnywhere));
  const others = report.others.filter((name) => !before.has(name));
  const leavesOut = leftOut(trial.output) > leftOut(baseOutput);
  return { named: new Map([...report.named, ...known]), others, staysGreen: false, leavesOut };
}

/** A planted failure that the base reports and the work does not. */
function isSilenced(path: string, { named }: Tried, onBase: OnBase): boolean {
  const now = named.get(path) ?? [];
  return (onBase.named.get(path) ?? []).some((place) => !now.includes(place));
}

function wordsFor({ criterion }: Subject) {
  const command = describeCheck(criterion.check);
  const check = `\`${command}\``;
  const some = (files: readonly string[]): string =>
    files.length === 1 ? (files[0] ?? '') : `${files[0] ?? ''} and ${files.length - 1} more`;
  return {
    command,
    noPlace: `No known way to add a failing test to ${check}: not calibrated.`,
    noCheckout: 'The work with a planted failure could not be checked out: not calibrated.',
    green: (files: readonly string[]) =>
      `${check} stays green with a failing test in ${some(files)}. It proves nothing.`,
    ignored: (files: readonly string[]) =>
      `${check} reports a failing test in ${some(files)} and passes all the same: the check ignores its tests, or the work changes their exit code.`,
    unnamed: (files: readonly string[]) =>
      `${check} does not report a failing test in ${some(files)}, as it did before the work.`,
    others: (names: readonly string[]) =>
      `With one failing test added, ${names.length === 1 ? '1 other fails' : `${names.length} others fail`} too (${names[0] ?? ''}): the work behaves differently when its tests change.`,
    changed: (files: readonly string[]) =>
      `With a comment added to ${some(files)}, ${check} fails: the work behaves differently when its tests change.`,
    stopped: (files: readonly string[]) =>
      `With a comment added to ${some(files)}, ${check} fails and reports no tests. Either the work behaves differently when its tests change, or the check rejects the comment.`,
    staysGreen: (isOnBase: boolean) =>
      `${check} stays green with a planted failure${isOnBase ? ', on the base as well' : ''}: not calibrated.`,
    redUnnamed: `${check} turned red, but not by the planted test: not calibrated.`,
    passed: (noticed: number, all: number) => {
      const rest = noticed === all ? '' : `; no failure was noticed in ${all - noticed} of ${all} files`;
      const where = noticed === 1 ? 'A failing test' : `A failing test in each of ${noticed} files`;
      return `${where} turned ${check} red, by name${rest}.`;
    },
  };
}
