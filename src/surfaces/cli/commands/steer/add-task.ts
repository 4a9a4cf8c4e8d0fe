import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineAddTask: DefineCommand = (program, act) => {
  withRunOption(program.command('add-task'))
    .summary('add a task to an unfinished run')
    .description('add a task to an unfinished run')
    .argument('[title]', 'title of the task')
    .option('--file <file>', 'task file, instead of a title')
    .option('--id <id>', 'default: the next number')
    .option('--description <text>', 'full description')
    .option('--criterion <text>', 'acceptance criterion, with (check: …) or inferred; repeatable', more)
    .option('--check <command>', 'command that must pass; repeatable', more)
    .option('--priority <word>', 'critical, high, medium (default) or low')
    .option('--depends-on <task>', 'id of a task that comes first; repeatable', more)
    .option('--scope <glob>', 'files that the task is about; repeatable', more)
    .option('--may-change <glob>', 'tests and check scripts that it may change; repeatable', more)
    .option('--json', 'print JSON, with the id of the task')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone add-task "Log out" --depends-on 2 \\\n    --criterion "there is a function logOut in src/session.ts"\n  untildone add-task "Log out" --check "npm test -- logout"\n  untildone add-task --file logout.md',
    )
    .action(act(async () => (await import('./add-task-action.ts')).addTaskCommand));
};
