import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReport: DefineCommand = (program, act) => {
  withRun(program.command('report'), orNewest)
    .summary('write one page about a run: outcome, criteria, evidence, cost')
    .description('one page about a run: outcome, criteria, evidence, tamper ledger, reviewers, cost')
    .option('--html [file]', 'as a web page that needs nothing else; default: untildone-RUN.html')
    .option('-o, --output <file>', 'where to write the text; default: print it')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone report                      markdown, as for a pull request\n  untildone report --html proof.html',
    )
    .action(act(async () => (await import('./report-action.ts')).reportCommand));
};
