import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineDemo: DefineCommand = (program, act) => {
  program
    .command('demo')
    .summary('show a run with a scripted agent, free of charge')
    .description('show a run with a scripted agent, free of charge')
    .option('--preset <name>', 'builder-verifier (default) or actions')
    .option('--mode <who>', 'who chooses the next action: auto (default), interactive')
    .option('--keep', 'keep the repository')
    .option('--json', 'print one JSON event per line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone demo\n  untildone demo --keep\n  untildone demo --preset actions\n  untildone demo --preset actions --mode interactive',
    )
    .action(act(async () => (await import('./demo-action.ts')).demoCommand));
};
