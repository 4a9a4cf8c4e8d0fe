// Before any money is spent: does a check that is green on the base notice a failing test at all?
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Trees } from '#ports/trees.ts';
import { openBench, type Subject } from './bench.ts';
import { tooSlow } from './limits.ts';
import { tryPlanted } from '#runtime/calibration/trials/planted-failure.ts';
import { plantIn } from './planting.ts';
import { type TestFiles, testFilesOf } from './test-files.ts';
import { taskOf } from '#kernel/fold/run.ts';

/** Null for a check that seems to run no tests, or that cannot be tried. */
export async function tryOnGreenBase(subject: Subject, trees: Trees): Promise<Calibration | null> {
  const known = knownFor(subject);
  if (known !== undefined) return known;
  const { now, criterion } = subject;
  const bench = openBench(subject, 'planted-failure');
  const check = `\`${describeCheck(criterion.check)}\``;
  if (tooSlow(check, now.durationMs) !== null) return null;
  const reads = { output: now.tail, reads: null, added: [], changed: [] };
  const tests = await testFilesOf(subject, { trees, tree: now.tree }, reads);
  const planted = mayRunTests(subject, tests) ? plantIn(tests.files, tests.context) : [];
  if (planted.length === 0) return null;
  const found = await tryPlanted(bench, { trees, baseTree: now.tree, workTree: now.tree }, planted);
  if (found === null) return null;
  const files = [...found.noticed];
  if (files.length > 0)
    return bench.conclude('passed', `${check} notices a planted failure on the base.`, { files });
  if (!found.isGreen)
    return bench.conclude('none', `${check} turned red on the base, but did not name the planted failure.`);
  return now.ranTests === true
    ? bench.conclude('refused', `${check} does not notice a failing test: it is green with one on the base.`)
    : bench.conclude(
        'none',
        `${check} stays green with a planted failure, but it is not known to run tests.`,
      );
}

const tools = anyOf([
  'lint',
  'fmt',
  'build',
  'typecheck',
  'types',
  ...wordsIn('programs', (each) => each.linters),
]);
const testWords = anyOf([
  'test',
  'tests',
  'spec',
  'check',
  'verify',
  ...wordsIn('programs', (each) => each.testers),
]);

function anyOf(words: readonly string[]): RegExp {
  return new RegExp(String.raw`\b(${words.join('|')})\b`);
}

/** Planting into a linter's check would cost runs and prove nothing. */
function mayRunTests({ criterion: { check }, now }: Subject, { context }: TestFiles): boolean {
  if (now.ranTests === true) return true;
  if (check.kind === 'gate') return check.gate === 'tests';
  const texts = [context.command, ...context.scripts];
  return texts.some((text) => testWords.test(text)) && !tools.test(context.command);
}

/** Tasks of one plan often share a check. */
function knownFor({ context, criterion, now }: Subject): Calibration | undefined {
  for (const task of context.run.tasks.values())
    for (const { id, check } of taskOf(context.run, task.spec.id).spec.criteria) {
      const base = task.evidence.get(id)?.base;
      const isSame = base?.tree === now.tree && JSON.stringify(check) === JSON.stringify(criterion.check);
      const planted = base?.calibration?.find(({ kind }) => kind === 'planted-failure');
      if (isSame && planted !== undefined) return planted;
    }
  return undefined;
}
