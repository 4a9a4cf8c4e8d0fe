import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineNotify: DefineCommand = (program, act) => {
  program
    .command('notify')
    .summary('test the configured notifications')
    .description('test the configured notifications')
    .command('test')
    .description('send a test notification to each configured target')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  untildone notify test\n\nExit codes: 0 every notification arrived or had no target\n            1 one did not arrive',
    )
    .action(act(async () => (await import('./notify-action.ts')).notifyTestCommand));
};
