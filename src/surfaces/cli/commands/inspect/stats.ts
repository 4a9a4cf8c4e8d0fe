import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineStats: DefineCommand = (program, act) => {
  program
    .command('stats')
    .description('show all runs of this repository in numbers')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone stats')
    .action(act(async () => (await import('./stats-action.ts')).statsCommand));
};
