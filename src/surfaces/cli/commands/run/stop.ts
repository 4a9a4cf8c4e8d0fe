import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineStop: DefineCommand = (program, act) => {
  withRun(program.command('stop'))
    .description('end a run as stopped; what is proven stays on its branch')
    .option('--now', 'do not wait for the session under way')
    .option('--why <reason>', 'recorded with it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  untildone stop\n  untildone stop --now')
    .action(act(async () => (await import('./stop-action.ts')).stopCommand));
};
