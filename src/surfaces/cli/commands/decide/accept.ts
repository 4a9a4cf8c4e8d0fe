import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineAccept: DefineCommand = (program, act) => {
  withRunOption(program.command('accept'))
    .description('accept a change to a pinned file')
    .argument('<path>', 'as the tamper ledger names it')
    .option('--why <reason>', 'recorded in the ledger with your name')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n`untildone status` shows the ledger. Look at the change first.\n\nExample:\n  untildone accept src/sum.test.js --why "the old test asked for the wrong sum"',
    )
    .action(act(async () => (await import('./accept-action.ts')).acceptCommand));
};
