import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineStatus: DefineCommand = (program, act) => {
  withRun(program.command('status'))
    .description('show the state of a run: criteria, attempts, cost')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  untildone status\n  untildone status --json | jq .criteria')
    .action(act(async () => (await import('./status-action.ts')).statusCommand));
};
