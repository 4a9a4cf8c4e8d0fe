import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineStop: DefineCommand = (program, act) => {
  withRun(program.command('stop'))
    .description('stop a run; proven work stays on its branch')
    .option('--now', 'do not wait for the running session')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  untildone stop\n  untildone stop --now')
    .action(act(async () => (await import('./stop-action.ts')).stopCommand));
};
