// The command that asks whether the checks of a run are worth anything.
import type { Command } from 'commander';
import type { ProbeCommandOptions } from '#surfaces/cli/commands/probe.ts';
import type { Act } from './define-run.ts';

export function addProbeCommand(program: Command, act: Act): void {
  program
    .command('probe')
    .description('break the new code of a run a little, on clean checkouts, and see which checks notice')
    .argument('[run|commit]', 'a run, or a commit that one has made; default: the run that ended last')
    .option('--mutants <n>', 'how many breakages to try at most', '12')
    .option('--seed <n>', 'which of them: the same seed, the same ones', '1')
    .option('--json', 'print one JSON document')
    .addHelpText('after', probeHelp)
    .action((name: string | undefined, options: ProbeCommandOptions) =>
      act(async () => (await import('#surfaces/cli/commands/probe.ts')).probeCommand(name, options)),
    );
}

const probeHelp = `
Only new lines outside of the tests are touched: comparisons flipped, conditions negated, statements left out, constants
changed. Neither the run nor your checkout is changed. A check that notices nothing is weak.

Examples:
  untildone probe
  untildone probe 20261115 --mutants 40 --json | jq '.criteria[] | select(.finding == "weak").id'

Exit codes: 0 every check notices something · 1 a check is weak · 2 nothing to probe`;
