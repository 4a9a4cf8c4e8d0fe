import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineNotify: DefineCommand = (program, act) => {
  program
    .command('notify')
    .summary('test the notifications that are configured')
    .description('who is told how a run ends and what it asks')
    .command('test')
    .description('send a notification through everything that is configured, and say how it went')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  untildone notify test\n\nExits with 0 when every one arrived or had nobody to reach, and with 1 when one did not arrive.',
    )
    .action(act(async () => (await import('./notify-action.ts')).notifyTestCommand));
};
