import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';

export const defineWake: DefineCommand = (program, act) => {
  program
    .command('wake', { hidden: true })
    .description('for `watch`: drive a parked run that is due')
    .argument('[run]')
    .option('--lost', 'write the wake records of waiting runs that have none')
    .option('--late <reason>', 'why it is woken late')
    .action(act(async () => (await import('./wake-action.ts')).wakeCommand));
};
