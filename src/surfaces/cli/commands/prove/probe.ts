import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineProbe: DefineCommand = (program, act) => {
  withRun(program.command('probe'), runOrCommit, 'run|commit')
    .summary('break the new code a little, and see which checks notice')
    .description('break the new code of a run a little, on clean checkouts, and see which checks notice')
    .option('--mutants <n>', 'how many breakages to try at most', '12')
    .option('--seed <n>', 'which of them: the same seed, the same ones', '1')
    .option('--json', 'print one JSON document')
    .addHelpText('after', probeHelp)
    .action(act(async () => (await import('./probe-action.ts')).probeCommand));
};

const probeHelp = `
Only new lines outside of the tests are touched: comparisons flipped, conditions negated, statements left out, constants
changed. Neither the run nor your checkout is changed. A check that notices nothing is weak.

Examples:
  untildone probe
  untildone probe 20261115 --mutants 40 --json | jq '.criteria[] | select(.finding == "weak").id'

Exit codes: 0 every check notices something · 1 a check is weak · 2 nothing to probe`;
