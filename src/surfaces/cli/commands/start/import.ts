import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';

export const defineImport: DefineCommand = (program, act) => {
  program
    .command('import')
    .summary('import tasks from notes, JSON or GitHub issues')
    .description('import tasks from notes, JSON or GitHub issues')
    .argument('[file]', 'a file, or - for standard input')
    .option('--from <format>', 'markdown, json, jsonl or github; default: by file name')
    .option('--out <file>', 'task file to write; default: .untildone/tasks.md')
    .option('--append', 'append tasks that the file does not have yet')
    .option('--force', 'replace that file')
    .option('--label <label>', 'only issues with this label; repeatable', more)
    .option('--limit <n>', 'issues at most (100)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone import notes.md\n  untildone import --from github --label ready\n  cat tasks.jsonl | untildone import - --append\n\nThis runs nothing. Review the file, add missing criteria, then use\n`untildone queue`.',
    )
    .action(act(async () => (await import('./import-action.ts')).importCommand));
};
