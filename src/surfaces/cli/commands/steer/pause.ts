import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const definePause: DefineCommand = (program, act) => {
  withRun(program.command('pause'))
    .description('pause a run; its driver waits for resume or stop')
    .option('--now', 'end the running session instead of waiting')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone pause --why "the machine is needed"\n  untildone pause --now',
    )
    .action(act(async () => (await import('./pause-action.ts')).pauseCommand));
};
