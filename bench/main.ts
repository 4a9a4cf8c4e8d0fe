// `npm run bench [-- names… --json --scale N --program FILE --folder DIR]`: measures, prints, and fails where a gate is missed.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from './attempt.ts';
import { durableStep } from './durable-step.ts';
import { eventCost } from './event-cost.ts';
import { flood } from './flood.ts';
import type { Benchmark, Line } from './measure.ts';
import { holds, valueOf } from './measure.ts';
import { startUp } from './start-up.ts';
import { renderTable } from './table.ts';

const benchmarks: { readonly [name: string]: Benchmark } = {
  'durable-step': durableStep,
  'event-cost': eventCost,
  'start-up': startUp,
  flood,
  attempt,
};

const root = resolve(import.meta.dirname, '..');

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      folder: { type: 'string', default: '/var/tmp' },
      scale: { type: 'string', default: '1' },
      program: { type: 'string', default: join(root, 'bin', 'untildone.js') },
    },
  });
  const lines: Line[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
    const benchmark = benchmarks[name];
    if (benchmark === undefined)
      throw new Error(`no benchmark "${name}"; there are ${Object.keys(benchmarks).join(', ')}`);
    console.error(`${name} …`);
    lines.push(
      ...(await benchmark({
        program: resolve(values.program),
        scale: Number(values.scale),
        folder: resolve(values.folder),
      })),
    );
  }
  const results = { node: process.version, at: new Date().toISOString(), lines: lines.map(withValue) };
  const json = JSON.stringify(results, null, 2);
  writeFileSync(join(import.meta.dirname, 'results.json'), `${json}\n`);
  console.log(values.json ? json : renderTable(lines));
  process.exitCode = lines.some((line) => line.kind === 'gate' && !holds(line)) ? 1 : 0;
}

function withValue(line: Line) {
  return { ...line, value: valueOf(line), holds: holds(line) };
}

await main();
