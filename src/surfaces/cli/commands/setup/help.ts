import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineHelp: DefineCommand = (program, act) => {
  program
    .command('help')
    .description('show a guide or the help of a command')
    .argument('[topic...]', 'a guide or a command; default: list them')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone help\n  untildone help checks | less\n  untildone help run',
    )
    .action(act(async () => (await import('./help-action.ts')).helpCommand.bind(null, program)));
};
