import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineClean: DefineCommand = (program, act) => {
  withRun(program.command('clean'), 'run id or its beginning; default: every ended run')
    .description('remove what finished runs left behind')
    .option('--older <age>', 'only runs unchanged for this long: 14d, 12h')
    .option('--landed', 'only runs whose work has landed')
    .option('--unlanded', 'also remove work that has not landed')
    .option('--dry-run', 'list what would be removed')
    .option('--json', 'print JSON')
    .addHelpText('after', cleanHelp)
    .action(act(async () => (await import('./clean-action.ts')).cleanCommand));
};

const cleanHelp = `
Removes worktrees, branches, refs, logs, cached dependencies and state of ended
runs. The journal of each run stays, so \`stats\`, \`show\` and \`export\` still
work. Unfinished runs are never touched.

Examples:
  untildone clean --dry-run
  untildone clean --older 14d --landed
  untildone clean 20261115-2204-a1b2 --unlanded

Exit codes: 0 done · 1 something could not be removed · 2 refused`;
