import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReplay: DefineCommand = (program, act) => {
  withRun(program.command('replay'), orNewest)
    .summary('show a run again as it went, from its journal')
    .description('show a run again as it went, from its journal, without any agent')
    .option('--speed <factor>', 'with its pauses, so many times as fast; default: all at once')
    .option('--json', 'print one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone replay\n  untildone replay 20261115 --speed 60\n\nTo play its sessions in another run instead: untildone record',
    )
    .action(act(async () => (await import('./replay-action.ts')).replayCommand));
};
