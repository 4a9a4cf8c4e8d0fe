import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineAnswer: DefineCommand = (program, act) => {
  withRunOption(program.command('answer'))
    .description('answer the question of an agent, so that its task goes on')
    .argument('<text>', 'the answer')
    .option('--task <task>', 'whose question, where several are open')
    .option('--question <id>', 'which question, where several are open')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone answer "use SQLite, and keep the old table"')
    .action(act(async () => (await import('./answer-action.ts')).answerCommand));
};
