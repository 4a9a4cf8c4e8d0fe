import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReplay: DefineCommand = (program, act) => {
  withRun(program.command('replay'), orNewest)
    .summary('play back the events of a run')
    .description('play back the events of a run')
    .option('--speed <factor>', 'keep the pauses, this many times faster')
    .option('--json', 'print one JSON event per line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone replay\n  untildone replay 20261115 --speed 60\n\nTo play its sessions in another run instead: untildone record',
    )
    .action(act(async () => (await import('./replay-action.ts')).replayCommand));
};
