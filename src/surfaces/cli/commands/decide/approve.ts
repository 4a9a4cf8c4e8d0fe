import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { whichRun, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineApprove: DefineCommand = (program, act) => {
  withRun(program.command('approve'), `${whichRun}, or the last without proof`)
    .description('approve a criterion, a plan, or the work of an unverified run')
    .option('--criterion <id>', 'which one, where several are open')
    .option('--task <task>', 'of which task, where several are open')
    .option('--tree <tree>', 'the work that you looked at; refused if it is another one by now')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\n`untildone status` shows the question, what was seen and changed, and what to type.\n\nExample:\n  untildone approve',
    )
    .action(act(async () => (await import('./verdict-action.ts')).verdictCommand.bind(null, 'approve')));
};
