// `npm run mutants [-- --sample 10 --seed TEXT --only ID]`: plants each fault in a scratch copy and fails unless its test notices it.
// The last line is always `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { seeded } from '../simulation/random.ts';
import { repositoryFiles, root } from '../tidy/repository.ts';
import type { SourceFile } from '../tidy/source-file.ts';
import { type Fault } from './fault.ts';
import { faults } from './faults.ts';
import { plantFault } from './plant-fault.ts';
import { createRunner, type Runner } from './runner.ts';
import { makeScratch, type Scratch } from './scratch.ts';

interface Bed {
  readonly scratch: Scratch;
  readonly runner: Runner;
  readonly files: readonly SourceFile[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sample: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  });
  const chosen = choose(values);
  const files = repositoryFiles();
  const scratch = makeScratch();
  const stop = (): never => {
    scratch.remove();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const runner = await createRunner(scratch);
  try {
    const red = await redWithoutFault(chosen, runner);
    const failed = red > 0 ? red : await tryAll(chosen, { scratch, runner, files });
    const passed = red > 0 ? 0 : chosen.length - failed;
    say(`\n${passed} passed, ${failed} failed, ${faults.length - passed - failed} skipped`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await runner.close();
    scratch.remove();
  }
}

function choose({ sample, seed, only }: { sample?: string; seed?: string; only?: string }): readonly Fault[] {
  if (only !== undefined) {
    const ids = only.split(',');
    const unknown = ids.find((id) => !faults.some((fault) => fault.id === id));
    if (unknown !== undefined) throw new Error(`there is no fault ${unknown}`);
    return faults.filter(({ id }) => ids.includes(id));
  }
  if (sample === undefined) return faults;
  if (!/^[1-9]\d*$/.test(sample)) throw new Error(`--sample takes a number from 1 on, not ${sample}`);
  // The commit, unless another is given: one commit always tries the same faults, and the next one tries others.
  const text = seed ?? spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  say(`${sample} of ${faults.length} faults; once more: --sample ${sample} --seed ${text}`);
  const random = seeded(createHash('sha256').update(text).digest().readInt32BE(0));
  const left = [...faults];
  return Array.from({ length: Math.min(Number(sample), left.length) }).flatMap(() =>
    left.splice(random.int(left.length), 1),
  );
}

/** A test that is red by itself notices nothing. */
async function redWithoutFault(chosen: readonly Fault[], runner: Runner): Promise<number> {
  const outcomes = await runner.run(chosen.map(({ test }) => test));
  const red = chosen.flatMap(({ id, test }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.kind === 'passed') return [];
    return [
      `${id}: ${test.file} "${test.title}": ${outcome.kind === 'failed' ? outcome.message : outcome.reason}`,
    ];
  });
  if (red.length > 0) say(`These tests do not pass without a fault:\n${red.join('\n')}`);
  return red.length;
}

async function tryAll(chosen: readonly Fault[], bed: Bed): Promise<number> {
  let failed = 0;
  for (const fault of chosen) {
    const started = performance.now();
    const problem = await tryOne(fault, bed);
    if (problem !== null) failed += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    say(problem === null ? `noticed   ${fault.id} (${seconds} s)` : `${problem}\n          ${fault.breaks}`);
  }
  return failed;
}

/** Null when the test noticed the fault. */
async function tryOne(fault: Fault, { scratch, runner, files }: Bed): Promise<string | null> {
  const planted = plantFault(fault, files);
  if ('lost' in planted) return `LOST      fault ${fault.id} is lost: ${planted.lost}`;
  const { path, text } = planted;
  const original = files.find((file) => file.path === path)?.text ?? '';
  scratch.write(path, text);
  runner.forget(path);
  const [outcome] = await runner.run([fault.test]);
  scratch.write(path, original);
  runner.forget(path);
  switch (outcome?.kind) {
    case 'failed':
      return null;
    case 'passed':
      return `SURVIVED  ${fault.id}: "${fault.test.title}" (${fault.test.file}) passes with it`;
    default:
      return `NOT RUN   ${fault.id}: ${fault.test.file} "${fault.test.title}": ${outcome?.reason ?? ''}`;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  say(
    `${error instanceof Error ? error.message : String(error)}\n\n0 passed, 1 failed, ${faults.length} skipped`,
  );
  process.exitCode = 1;
}
