import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineAddTask: DefineCommand = (program, act) => {
  withRunOption(program.command('add-task'))
    .summary('add a task to a run that is under way')
    .description('one more task for a run that is under way; it comes behind those that are as urgent')
    .argument('[title]', 'what is wanted, in a few words')
    .option('--file <file>', 'the task, or several, as in a task file; instead of a title')
    .option('--id <id>', 'default: the next number')
    .option('--description <text>', 'what is wanted, in full')
    .option(
      '--criterion <text>',
      'must be true in the end; a check is found from it, or (check: …) names one; can be repeated',
      more,
    )
    .option('--check <command>', 'must pass when the task is done; can be repeated', more)
    .option(
      '--priority <word>',
      'critical, high, medium (default) or low: among the tasks that nobody has begun',
    )
    .option('--depends-on <task>', 'comes after this one; can be repeated', more)
    .option('--scope <glob>', 'files that it is about; can be repeated', more)
    .option('--may-change <glob>', 'tests and check scripts that it may change; can be repeated', more)
    .option('--json', 'print one JSON document, with the id of the task')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone add-task "Log out" --criterion "there is a function logOut in src/session.ts" --depends-on 2\n  untildone add-task "Log out" --check "npm test -- logout"\n  untildone add-task --file logout.md',
    )
    .action(act(async () => (await import('./add-task-action.ts')).addTaskCommand));
};
