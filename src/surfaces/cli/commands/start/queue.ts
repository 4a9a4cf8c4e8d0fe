// `queue FILE` is `run --preset queue FILE`.
import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { type RawOptions, withoutDefaultSetup, withRunOptions } from '#surfaces/cli/options/run-flags.ts';

export const defineQueue: DefineCommand = (program, act) => {
  withRunOptions(
    program
      .command('queue')
      .summary('run the tasks of a file one by one')
      .description('run the tasks of a file one by one')
      .argument('[file]', 'markdown, JSON or JSONL; default: .untildone/tasks.md, else TASKS.md'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untildone queue --agent claude\n  untildone queue my-tasks.md --agent claude --budget sessions=80\n\nThe format: untildone help task-files. From another terminal:\nuntildone add-task, skip, retry, pause, stop.',
    )
    .action(
      act(async () => {
        const { runCommand } = await import('./run-action.ts');
        return (file: string | undefined, options: RawOptions) =>
          runCommand(file, { ...withoutDefaultSetup(options), preset: 'queue' });
      }),
    );
};
