import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReport: DefineCommand = (program, act) => {
  withRun(program.command('report'), orNewest)
    .summary('write a one-page report about a run')
    .description('write a one-page report about a run')
    .option('--html [file]', 'write a self-contained web page; default: untildone-RUN.html')
    .option('-o, --output <file>', 'output file; default: standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone report                      markdown, as for a pull request\n  untildone report --html proof.html',
    )
    .action(act(async () => (await import('./report-action.ts')).reportCommand));
};
