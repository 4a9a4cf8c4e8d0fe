import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import type { WakeOptions } from './wake-action.ts';

export const defineWake: DefineCommand = (program, act) => {
  program
    .command('wake', { hidden: true })
    .description('for `watch`: drive a parked run that is due')
    .argument('[run]')
    .option('--lost', 'write the wake records of waiting runs that have none')
    .option('--late <reason>', 'why it is woken late')
    .action((run: string | undefined, options: WakeOptions) =>
      act(async () => (await import('./wake-action.ts')).wakeCommand(run, options)),
    );
};
