// `run-one.ts NAME OPTIONS`: runs one benchmark and prints its lines as JSON. Exits with 1 if it throws.
import { benchmarks } from './benchmarks.ts';
import type { BenchOptions } from './measure.ts';

const [name = '', options = '{}'] = process.argv.slice(2);
const lines = await benchmarks[name]?.(JSON.parse(options) as BenchOptions);
console.log(JSON.stringify(lines));
