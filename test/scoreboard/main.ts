// `npm run scoreboard [-- agents… --seeds 30 --from 1 --at-once 2 --json --output FILE --keep]`: fails unless nothing false was completed
// and nothing honest refused, every rule spoke that had to, main stood still and nothing was left alive.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultAgents } from '#testing/faults/fault-agents.ts';
import { isGood, liveAll, rowsOf } from './board.ts';
import type { Life } from './life.ts';
import { copyProgram } from './program.ts';
import { tableOf } from './table.ts';

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
    },
  });
  const agents = chosen(positionals);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, n) => Number(values.from) + n);
  const program = await copyProgram();
  const seen: Life[] = [];
  try {
    await liveAll(agents, () => seeds, {
      launcher: program.launcher,
      languages: languagesHere(),
      attempts: 2,
      keep: values.keep,
      atOnce: Number(values['at-once']),
      onLife: (life) => {
        seen.push(life);
        tell(life);
        // As it goes: whoever stops it half-way has what there is.
        writeFileSync(values.output, resultsOf(agents, seen));
      },
    });
    const rows = rowsOf(agents, seen);
    process.stdout.write(values.json ? resultsOf(agents, seen) : `${tableOf(rows)}\n`);
    process.exitCode = isGood(rows) ? 0 : 1;
  } finally {
    program.remove();
  }
}

function resultsOf(agents: typeof faultAgents, lives: readonly Life[]): string {
  const rows = rowsOf(agents, lives);
  return `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, lives }, null, 2)}\n`;
}

function tell(life: Life): void {
  const { agent, seed, exitCode, ms, isFalseCompletion, isHonestRefusal, isUncaught, said, checks } = life;
  const wrong = isFalseCompletion
    ? ' FALSE COMPLETION'
    : isHonestRefusal
      ? ' HONEST REFUSAL'
      : isUncaught
        ? ' NOT CAUGHT BY ITS RULE'
        : '';
  process.stderr.write(`${agent} ${seed}: exit ${exitCode}, ${ms} ms${wrong}\n`);
  if (said !== '') process.stderr.write(`${checks.join(' && ')}\n${said}\n`);
}

function chosen(names: readonly string[]) {
  const unknown = names.find((name) => !faultAgents.some((agent) => agent.name === name));
  if (unknown !== undefined)
    throw new Error(`no agent "${unknown}" in ${faultAgents.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? faultAgents : faultAgents.filter(({ name }) => names.includes(name));
}

/** Python where there is one. */
function languagesHere(): ('node' | 'python' | 'sh')[] {
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  return hasPython ? ['node', 'python', 'sh'] : ['node', 'sh'];
}

await main();
