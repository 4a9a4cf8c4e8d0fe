// The commands for many tasks: a queue of them, one more on the way, and tasks from elsewhere.
import type { Command } from 'commander';
import type { AddTaskOptions } from '#surfaces/cli/commands/add-task.ts';
import type { ImportOptions } from '#surfaces/cli/commands/import.ts';
import type { Act, GivenOptions } from './define-run.ts';
import { more, withoutDefaultSetup, withRunOptions } from './define-run.ts';

export function addTaskCommands(program: Command, act: Act): void {
  withRunOptions(
    program
      .command('queue')
      .description('work on the tasks of a file, one after the other; short for run --preset queue')
      .argument('[file]', 'markdown, JSON or JSONL; default: .untildone/tasks.md, else TASKS.md'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untildone queue --agent claude\n  untildone queue my-tasks.md --agent claude --check "npm test" --budget sessions=80\n\nThe format: untildone help task-files. From another terminal: untildone add-task, skip, retry, pause, stop.',
    )
    .action((file: string | undefined, given: GivenOptions) =>
      act(async () =>
        (await import('#surfaces/cli/commands/queue.ts')).queueCommand(file, withoutDefaultSetup(given)),
      ),
    );
  addAdding(program, act);
  addImport(program, act);
}

function addAdding(program: Command, act: Act): void {
  program
    .command('add-task')
    .description('one more task for a run that is under way; it comes behind those that are as urgent')
    .argument('[title]', 'what is wanted, in a few words')
    .option('--run <run>', 'id of a run, or its beginning; default: the unfinished one')
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
    .action((title: string | undefined, options: AddTaskOptions) =>
      act(async () => (await import('#surfaces/cli/commands/add-task.ts')).addTaskCommand(title, options)),
    );
}

function addImport(program: Command, act: Act): void {
  program
    .command('import')
    .description('make a task file of what stands elsewhere: notes, JSON, the issues on GitHub')
    .argument('[file]', 'a file, or - for standard input')
    .option('--from <format>', 'markdown, json, jsonl or github; default: by the name of the file')
    .option('--out <file>', 'where to write it; default: .untildone/tasks.md')
    .option('--append', 'add to that file; tasks that it has already are left out')
    .option('--force', 'replace that file')
    .option('--label <label>', 'only issues with this label; can be repeated', more)
    .option('--limit <n>', 'issues at most (100)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone import notes.md\n  untildone import --from github --label ready\n  cat tasks.jsonl | untildone import - --append\n\nNothing is run by it: look the file over, write criteria where some are missing, then `untildone queue`.',
    )
    .action((file: string | undefined, options: ImportOptions) =>
      act(async () => (await import('#surfaces/cli/commands/import.ts')).importCommand(file, options)),
    );
}
