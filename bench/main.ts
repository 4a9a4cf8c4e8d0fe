// `npm run bench [-- names… --tiny --list --json --scale N --program FILE --folder DIR]`: measures, prints,
// and fails if a benchmark throws or a gate is missed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarks } from './benchmarks.ts';
import type { BenchOptions, Line, Outcome } from './measure.ts';
import { outcomeOf, valueOf, verdictOf } from './measure.ts';
import { renderTable } from './table.ts';

interface Result {
  readonly name: string;
  /** Null if the benchmark threw. */
  readonly lines: readonly Line[] | null;
}

interface Flags {
  readonly json: boolean;
  readonly tiny: boolean;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      folder: { type: 'string', default: '/var/tmp' },
      program: { type: 'string', default: resolve(import.meta.dirname, '..', 'bin', 'untildone.js') },
    },
  });
  const { program, scale, folder, tiny } = values;
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
  refuseUnknown(names);
  if (values.list) {
    console.log(names.join('\n'));
    return;
  }
  const options = { program: resolve(program), scale: tiny ? 0 : Number(scale), folder: resolve(folder) };
  report(
    names.map((name) => measure(name, options)),
    values,
  );
}

function refuseUnknown(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown === undefined) return;
  console.error(`There is no benchmark "${unknown}". Use one of: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}

/**
 * Each in its own process: a large process starts others slowly, which would flatter whatever is compared
 * with the start of a program.
 */
function measure(name: string, options: BenchOptions): Result {
  console.error(`${name} …`);
  const startedAt = performance.now();
  const args = [join(import.meta.dirname, 'run-one.ts'), name, JSON.stringify(options)];
  const { stdout, status, signal } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (status !== 0) {
    console.error(
      `${name} FAILED after ${seconds} s: it ended with ${status ?? signal}; its error is above.`,
    );
    return { name, lines: null };
  }
  console.error(`${name} took ${seconds} s`);
  return { name, lines: JSON.parse(stdout) as readonly Line[] };
}

function report(results: readonly Result[], { json, tiny }: Flags): void {
  const lines = results.flatMap((result) => result.lines ?? []);
  const withOutcome = (outcome: Outcome) =>
    results.filter((result) => outcomeOf(result.lines, { tiny }) === outcome);
  const failed = withOutcome('failed');
  const skipped = withOutcome('skipped');
  const text = JSON.stringify(
    {
      node: process.version,
      at: new Date().toISOString(),
      failed: failed.map(({ name }) => name),
      lines: lines.map(withValue),
    },
    null,
    2,
  );
  // A tiny run shows that everything works. It must not replace measured results.
  if (!tiny) writeFileSync(join(import.meta.dirname, 'results.json'), `${text}\n`);
  console.log(json ? text : renderTable(lines));
  // With JSON output, messages for people go to standard error.
  const say = json ? console.error : console.log;
  if (tiny) say('\nTiny: sizes are smaller than the names say. The numbers mean nothing; no gate is judged.');
  for (const { name, lines: missing } of skipped) say(`SKIPPED ${name}: ${missing?.[0]?.note}`);
  const passed = withOutcome('passed').length;
  say(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function withValue(line: Line) {
  return { ...line, value: valueOf(line), verdict: verdictOf(line) };
}

main();
