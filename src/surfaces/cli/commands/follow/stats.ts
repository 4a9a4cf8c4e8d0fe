import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineStats: DefineCommand = (program, act) => {
  program
    .command('stats')
    .description('show statistics of all runs of this repository')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone stats')
    .action(act(async () => (await import('./stats-action.ts')).statsCommand));
};
