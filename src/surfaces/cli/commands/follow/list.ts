import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineList: DefineCommand = (program, act) => {
  program
    .command('list')
    .description('list the runs of this repository')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone list')
    .action(act(async () => (await import('./list-action.ts')).listCommand));
};
