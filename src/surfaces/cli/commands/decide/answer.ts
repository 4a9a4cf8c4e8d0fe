import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineAnswer: DefineCommand = (program, act) => {
  withRunOption(program.command('answer'))
    .description('answer the question of an agent')
    .argument('<text>', 'the answer')
    .option('--task <task>', 'task that asks, if several do')
    .option('--question <id>', 'id of the question, if several are open')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  untildone answer "use SQLite, and keep the old table"')
    .action(act(async () => (await import('./answer-action.ts')).answerCommand));
};
