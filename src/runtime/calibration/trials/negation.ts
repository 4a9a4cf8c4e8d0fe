// A test that turned green must fail when its assertions are negated; otherwise it does not measure the work.
import { isSameTest } from '#analysis/test-runners/reports.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { openBench, type Subject } from '#runtime/calibration/bench.ts';
import { changeExpectations, tryExpectations } from './expectations.ts';
import { tooSlow } from '#runtime/calibration/limits.ts';
import { negateNested, tryNested } from './nested.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import { selectsByName } from '#analysis/calibration/selected-tests.ts';
import type { NoticedInput } from '#runtime/calibration/test-files.ts';
import { type Flipped, negate, type NegatedFile, nothing, tryNegated } from './try-negated.ts';

export async function negateFlipped(subject: Subject, on: NoticedInput): Promise<Calibration> {
  const bench = openBench(subject, 'negation');
  const command = describeCheck(subject.criterion.check);
  const slow = tooSlow(command, subject.now.durationMs);
  if (slow !== null) return bench.conclude('none', slow);
  const negated = negate(on.tests, flippedIn(on));
  const judged = changeExpectations(on.tests, flippedIn(on));
  const nested = negateNested(on.tests, flippedByAssertion(on, negated));
  if (negated.length + judged.length + nested.length === 0)
    return bench.conclude('none', `No known one-line assertion to negate in the tests of \`${command}\`.`);
  const files = [...new Set([...negated, ...judged, ...nested].map(({ file }) => file.path))];
  const opposites = await tryNegated(bench, { subject, on, negated });
  const expected =
    opposites.passing.length > 0 ? nothing : await tryExpectations(bench, { subject, on, negated: judged });
  const inner =
    opposites.passing.length + expected.passing.length > 0
      ? nothing
      : await tryNested(bench, { subject, on, negated: nested });
  const failed = [...opposites.failed, ...inner.failed, ...expected.failed];
  const isSelected = failed.length > 0 && maySelect(on);
  const [first] = isSelected ? [] : [...opposites.passing, ...expected.passing];
  if (first !== undefined) {
    const reason = `'${first}' passes and so does its opposite: it does not measure the work.`;
    return bench.conclude('refused', reason, { files });
  }
  const [idle] = inner.passing;
  if (idle !== undefined) {
    const reason = `'${idle}' passes, and none of its assertions runs any more, in a loop or a callback: only a person can tell whether that is meant.`;
    return bench.conclude('refused', reason, { files, asks: 'person' });
  }
  if (failed.length === 0) return bench.conclude('none', `\`${command}\` does not report the negated tests.`);
  const which = failed.length === 1 ? `'${failed[0] ?? ''}' fails` : `${failed.length} tests fail`;
  const how = opposites.failed.length + inner.failed.length > 0 ? 'when negated' : 'with another expectation';
  return bench.conclude('passed', `${which} ${how}.`, { files });
}

/** If the base does not show which tests run, a negated test that passes may not be among them. */
function maySelect(on: NoticedInput): boolean {
  const flipped = flippedIn(on);
  return selectsByName(on.tests.context) && on.tests.files.some((file) => flipped(file) === null);
}

/** A file that did not load on the base is reported by its name or its container's: all its tests flipped. */
function flippedIn({ recheck, tests, noticed }: NoticedInput): Flipped {
  if (recheck === null) return ({ path }) => (noticed.has(path) ? null : []);
  const reports = reportsOf(recheck.output, tests.files);
  const isRun = (path: string): boolean => noticed.has(path) || recheck.reads?.includes(path) === true;
  return ({ path, runner }) => {
    const failed = reports.get(runner.name)?.failed ?? [];
    if (failed.some(({ name }) => name === path || name.endsWith(`/${path}`))) return null;
    const isKnown = failed.length > 0 && failed.every(({ cause }) => cause !== 'load');
    if (isKnown) return failed.map(({ name }) => name);
    return isRun(path) ? null : [];
  };
}

/** Without the tests that are negated already. */
function flippedByAssertion({ recheck, tests }: NoticedInput, negated: readonly NegatedFile[]): Flipped {
  const reports = reportsOf(recheck?.output ?? '', tests.files);
  return ({ path, runner }) => {
    const known = negated.find(({ file }) => file.path === path)?.tests ?? [];
    return (reports.get(runner.name)?.failed ?? [])
      .filter(({ name, cause }) => cause === 'assertion' && !known.some((test) => isSameTest(name, test)))
      .map(({ name }) => name);
  };
}
