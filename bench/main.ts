// `npm run bench [-- names… --json --scale N --program FILE --folder DIR]`: measures, prints, and fails where a gate is missed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from './attempt.ts';
import { campaign } from './campaign.ts';
import { driverMemory } from './driver-memory.ts';
import { durableStep } from './durable-step.ts';
import { eventCost } from './event-cost.ts';
import { flood } from './flood.ts';
import { map } from './map.ts';
import { mapAgain } from './map-again.ts';
import type { Benchmark, BenchOptions, Line } from './measure.ts';
import { valueOf, verdictOf } from './measure.ts';
import { sandboxStart } from './sandbox.ts';
import { sessionOverhead } from './session-overhead.ts';
import { startUp } from './start-up.ts';
import { renderTable } from './table.ts';
import { verification } from './verification.ts';

const benchmarks: { readonly [name: string]: Benchmark } = {
  'durable-step': durableStep,
  'event-cost': eventCost,
  'start-up': startUp,
  flood,
  attempt,
  verification,
  'session-overhead': sessionOverhead,
  sandbox: sandboxStart,
  'driver-memory': driverMemory,
  campaign,
  map,
  'map-again': mapAgain,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      folder: { type: 'string', default: '/var/tmp' },
      program: { type: 'string', default: resolve(import.meta.dirname, '..', 'bin', 'untildone.js') },
    },
  });
  const { program, scale, folder } = values;
  const options = { program: resolve(program), scale: Number(scale), folder: resolve(folder) };
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
  const lines = await measure(names, options);
  const results = { node: process.version, at: new Date().toISOString(), lines: lines.map(withValue) };
  const json = JSON.stringify(results, null, 2);
  writeFileSync(join(import.meta.dirname, 'results.json'), `${json}\n`);
  console.log(values.json ? json : renderTable(lines));
  process.exitCode = lines.some((line) => verdictOf(line) === 'MISSED') ? 1 : 0;
}

/**
 * Each in a process of its own: one that has grown starts others slowly, and would flatter what is compared with the
 * start of a program.
 */
async function measure(names: readonly string[], options: BenchOptions): Promise<readonly Line[]> {
  const [only = '', ...others] = names;
  if (others.length > 0) return names.flatMap((name) => measureApart(name, options));
  const benchmark = benchmarks[only];
  if (benchmark === undefined)
    throw new Error(`no benchmark "${only}" in ${Object.keys(benchmarks).join(', ')}`);
  console.error(`${only} …`);
  return benchmark(options);
}

function measureApart(name: string, { program, scale, folder }: BenchOptions): readonly Line[] {
  const flags = ['--json', '--scale', String(scale), '--program', program, '--folder', folder];
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, name, ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // One that could not be measured at all printed no results.
  if (stdout === '') throw new Error(`${name} ended with ${status} and no results`);
  return (JSON.parse(stdout) as { readonly lines: readonly Line[] }).lines;
}

function withValue(line: Line) {
  return { ...line, value: valueOf(line), verdict: verdictOf(line) };
}

await main();
