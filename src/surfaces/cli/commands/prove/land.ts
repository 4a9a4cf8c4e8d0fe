import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

const finished = 'run id or its beginning; default: the last ended run';

export const defineLand: DefineCommand = (program, act) => {
  withRun(program.command('land'), finished)
    .summary('merge proven work, or open a pull request')
    .description('merge proven work, squash it, or open a pull request')
    .option('--branch <name>', 'target branch; default: the one checked out')
    .option('--squash', 'as one commit')
    .option('--no-ff', 'always as a merge commit')
    .option('--pr', 'push the branch and open a pull request (gh)')
    .option('--draft', 'as a draft, with --pr')
    .option('--remote <name>', 'remote for --pr; default: that of the target, or origin')
    .option('--accept-review', "accept a reviewer's pass as the only proof")
    .option('--unproven', 'land unproven work; nothing is checked')
    .option('--keep', "keep the run's branch and worktree")
    .option('--json', 'print JSON')
    .addHelpText('after', landHelp)
    .action(act(async () => (await import('./land-action.ts')).landCommand));
};

const landHelp = `
If the target has moved, the merged files are checked on a clean checkout first.
A conflict changes nothing.

Examples:
  untildone land
  untildone land 20261115 --squash --branch main
  untildone land --pr --draft

Exit codes: 0 landed · 1 the merged files are not proven · 2 refused
            4 conflict`;
