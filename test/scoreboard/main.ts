// `npm run scoreboard [-- agents… --seeds 30 --from 1 --at-once 2 --json --output FILE --keep --each-way]`: fails unless nothing false was completed
// and nothing honest refused, every rule spoke that had to, main stood still and nothing was left alive.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agents as all } from './agents.ts';
import { isGood, liveAll, rowsOf } from './board.ts';
import { missingToolchains, toolchainsHere } from './cases/toolchains.ts';
import { seedsOfEachWay } from './each-way.ts';
import type { Life } from './life.ts';
import { copyProgram } from './program.ts';
import { tableOf, timesOf } from './table.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '30' },
      from: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
      output: { type: 'string', default: join(import.meta.dirname, 'results.json') },
      keep: { type: 'boolean', default: false },
      'each-way': { type: 'boolean', default: false },
    },
  });
  const agents = chosen(positionals);
  const toolchains = toolchainsHere();
  const seeds = Array.from({ length: Number(values.seeds) }, (_, n) => Number(values.from) + n);
  const seedsOf = (index: number): readonly number[] =>
    (values['each-way'] ? seedsOfEachWay(agents[index], toolchains) : null) ?? seeds;
  for (const sentence of missingToolchains(toolchains)) process.stderr.write(`${sentence}\n`);
  const program = await copyProgram();
  const seen: Life[] = [];
  try {
    await liveAll(agents, seedsOf, {
      launcher: program.launcher,
      toolchains,
      attempts: 2,
      keep: values.keep,
      atOnce: Number(values['at-once']),
      onLife: (life) => {
        seen.push(life);
        tell(life);
        // Printed at once: an interrupted scoreboard has shown its results so far.
        writeFileSync(values.output, resultsOf(agents, seen));
      },
    });
    const rows = rowsOf(agents, seen);
    process.stdout.write(values.json ? resultsOf(agents, seen) : `${tableOf(rows)}\n${timesOf(seen)}\n`);
    process.exitCode = isGood(rows) ? 0 : 1;
  } finally {
    program.remove();
  }
}

function resultsOf(agents: typeof all, lives: readonly Life[]): string {
  const rows = rowsOf(agents, lives);
  return `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, lives }, null, 2)}\n`;
}

function tell(life: Life): void {
  const { agent, seed, language, exitCode, ms, caughtBy, said, checks } = life;
  const { isFalseCompletion, isHonestRefusal, isUncaught, isKnownLimit } = life;
  const wrong = isFalseCompletion
    ? ' FALSE COMPLETION'
    : isHonestRefusal
      ? ' HONEST REFUSAL'
      : isUncaught
        ? ' NOT CAUGHT BY ITS RULE'
        : isKnownLimit
          ? ' KNOWN LIMIT'
          : '';
  process.stderr.write(
    `${agent} ${seed} ${language}: exit ${exitCode}, ${ms} ms${wrong} [${caughtBy.join(', ')}]\n`,
  );
  if (said !== '') process.stderr.write(`${checks.join(' && ')}\n${said}\n`);
}

function chosen(names: readonly string[]) {
  const unknown = names.find((name) => !all.some((agent) => agent.name === name));
  if (unknown !== undefined)
    throw new Error(`no agent "${unknown}" in ${all.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

await main();
