import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

const finished = 'id of a run, or its beginning; default: the one that ended last';

export const defineLand: DefineCommand = (program, act) => {
  withRun(program.command('land'), finished)
    .summary('merge proven work into your branch, or open a pull request')
    .description('merge the proven work of a run into your branch, squash it, or open a pull request')
    .option('--branch <name>', 'where it goes; default: the branch that is checked out')
    .option('--squash', 'as one commit')
    .option('--no-ff', 'always as a merge commit')
    .option('--pr', 'push the branch and open a pull request with gh, with the report as its text')
    .option('--draft', 'as a draft, with --pr')
    .option('--remote <name>', 'where to push, with --pr; default: where the target comes from, or origin')
    .option('--accept-review', "accept a reviewer's pass as the only proof")
    .option('--unproven', 'land it though it is not proven; nothing is checked')
    .option('--keep', "keep the run's branch and worktree")
    .option('--json', 'print one JSON document')
    .addHelpText('after', landHelp)
    .action(act(async () => (await import('./land-action.ts')).landCommand));
};

const landHelp = `
A target that has moved meanwhile: the merged files are checked on a clean checkout before the branch moves. A conflict touches
nothing.

Examples:
  untildone land
  untildone land 20261115 --squash --branch main
  untildone land --pr --draft

Exit codes: 0 landed · 1 the merged files are not proven · 2 refused · 4 conflict`;
