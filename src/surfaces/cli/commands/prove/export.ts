import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { runOrCommit, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineExport: DefineCommand = (program, act) => {
  withRun(program.command('export'), runOrCommit, 'run|commit')
    .summary('print the evidence as an in-toto statement about the commit')
    .description(
      'the evidence as an in-toto test-result statement about the commit, one JSON document a line',
    )
    .option('--format <name>', 'in-toto', 'in-toto')
    .option('--sign', 'with the key that git signs your commits with')
    .option('--note', 'keep it beside the commit, in refs/notes/untildone')
    .option('-o, --output <file>', 'where to write it; default: print it')
    .addHelpText('after', exportHelp)
    .action(act(async () => (await import('./export-action.ts')).exportCommand));
};

const exportHelp = `
Examples:
  untildone export | jq .predicate.result
  untildone export --sign --note
  untildone export HEAD -o proof.intoto.jsonl

Notes are never pushed by us: git push origin refs/notes/untildone`;
