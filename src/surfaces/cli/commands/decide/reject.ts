import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReject: DefineCommand = (program, act) => {
  withRun(program.command('reject'))
    .summary('reject a criterion, a plan or work, and say why')
    .description(
      'reject a criterion, a plan or work, and say why; the next attempt, or the architect, is told',
    )
    .option('--criterion <id>', 'which one, where several are open')
    .option('--task <task>', 'of which task, where several are open')
    .option('--tree <tree>', 'the work that you looked at; refused if it is another one by now')
    .option('--json', 'print one JSON document')
    .option('--why <reason>', 'what is wrong; recorded, and told to the builder')
    .addHelpText(
      'after',
      '\n`untildone status` shows the question, what was seen and changed, and what to type.\n\nExample:\n  untildone reject --why "the button is missing"',
    )
    .action(act(async () => (await import('./verdict-action.ts')).verdictCommand.bind(null, 'reject')));
};
