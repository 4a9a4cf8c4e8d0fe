import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineTell: DefineCommand = (program, act) => {
  withRunOption(program.command('tell'))
    .description('send a message to the builder of a run')
    .argument('<text>', 'what to say')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone tell "keep the old API working"')
    .action(act(async () => (await import('./tell-action.ts')).tellCommand));
};
