import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineInit: DefineCommand = (program, act) => {
  program
    .command('init')
    .summary('create .untildone/config.jsonc and a plan')
    .description('create .untildone/config.jsonc and a plan; never overwrites')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone init')
    .action(act(async () => (await import('./init-action.ts')).initCommand));
};
