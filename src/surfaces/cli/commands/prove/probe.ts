import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineProbe: DefineCommand = (program, act) => {
  withRun(program.command('probe'), runOrCommit, 'run|commit')
    .summary('mutation-test the new code of a run')
    .description('mutation-test the new code of a run')
    .option('--mutants <n>', 'number of mutations at most', '12')
    .option('--seed <n>', 'number that selects the mutations; the same number repeats them', '1')
    .option('--json', 'print JSON')
    .addHelpText('after', probeHelp)
    .action(act(async () => (await import('./probe-action.ts')).probeCommand));
};

const probeHelp = `
Mutations change new lines outside of tests: flipped comparisons, negated
conditions, removed statements, changed constants. The run and your checkout
stay unchanged. A check that notices no mutation is weak.

Examples:
  untildone probe
  untildone probe 20261115 --mutants 40 --json |
    jq '.criteria[] | select(.finding == "weak").id'

Exit codes: 0 every check noticed a mutation · 1 a check is weak
            2 nothing to probe`;
