import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineClean: DefineCommand = (program, act) => {
  withRun(program.command('clean'), 'id of a run, or its beginning; default: every run that is over')
    .description('remove what finished runs left behind')
    .option('--older <age>', 'only runs without a change for so long: 14d, 12h')
    .option('--landed', 'only runs whose work is on a branch of yours')
    .option('--unlanded', 'also work that is on no branch of yours')
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .option('--json', 'print one JSON document')
    .addHelpText('after', cleanHelp)
    .action(act(async () => (await import('./clean-action.ts')).cleanCommand));
};

const cleanHelp = `
It removes worktrees, branches, refs, logs, cached dependencies and the state of runs that are over. The journal of each run
stays, so that \`stats\`, \`show\` and \`export\` still answer. A run that is not over is never touched.

Examples:
  untildone clean --dry-run
  untildone clean --older 14d --landed
  untildone clean 20261115-2204-a1b2 --unlanded

Exit codes: 0 done · 1 something could not be removed · 2 refused`;
