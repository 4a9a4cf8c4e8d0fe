import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineConfig: DefineCommand = (program, act) => {
  const config = program.command('config').description('show the settings in force');
  config
    .command('show')
    .description('print every setting and where it comes from')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone config show')
    .action(act(async () => (await import('./config-action.ts')).configShowCommand));
};
