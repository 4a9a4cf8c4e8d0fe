import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineExport: DefineCommand = (program, act) => {
  withRun(program.command('export'), runOrCommit, 'run|commit')
    .summary('print the evidence as an in-toto statement')
    .description('print the evidence as an in-toto statement')
    .option('--format <name>', 'in-toto', 'in-toto')
    .option('--sign', 'sign it with your git signing key')
    .option('--note', 'attach it to the commit, in refs/notes/untildone')
    .option('-o, --output <file>', 'output file; default: standard output')
    .addHelpText('after', exportHelp)
    .action(act(async () => (await import('./export-action.ts')).exportCommand));
};

const exportHelp = `
Examples:
  untildone export | jq .predicate.result
  untildone export --sign --note
  untildone export HEAD -o proof.intoto.jsonl

Notes are not pushed. To push them: git push origin refs/notes/untildone`;
