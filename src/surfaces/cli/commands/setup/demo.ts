import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineDemo: DefineCommand = (program, act) => {
  program
    .command('demo')
    .summary('play a whole run with a scripted agent; it costs nothing')
    .description(
      'a whole run in a temporary repository, with a scripted agent: nothing to install, nothing to pay',
    )
    .option('--preset <name>', 'what to show: builder-verifier (the default), actions')
    .option('--mode <who>', 'who chooses the next action: auto (the default), interactive; preset actions')
    .option('--keep', 'leave the repository for you to look at')
    .option('--json', 'print one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone demo\n  untildone demo --keep\n  untildone demo --preset actions\n  untildone demo --preset actions --mode interactive',
    )
    .action(act(async () => (await import('./demo-action.ts')).demoCommand));
};
