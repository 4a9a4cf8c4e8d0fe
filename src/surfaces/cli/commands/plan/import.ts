import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';

export const defineImport: DefineCommand = (program, act) => {
  program
    .command('import')
    .summary('make a task file from notes, JSON or GitHub issues')
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
    .action(act(async () => (await import('./import-action.ts')).importCommand));
};
