import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineInit: DefineCommand = (program, act) => {
  program
    .command('init')
    .summary('make .untildone/config.jsonc and a plan to fill in')
    .description('make .untildone/config.jsonc and a plan to fill in; never overwrites')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone init')
    .action(act(async () => (await import('./init-action.ts')).initCommand));
};
