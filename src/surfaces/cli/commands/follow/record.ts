import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineRecord: DefineCommand = (program, act) => {
  withRun(program.command('record'), orNewest)
    .summary('record finished sessions as a script')
    .description('record finished sessions as a script for the scripted agent')
    .option('--session <name>', 'one session (builder_002) or a role (verifier)')
    .option('-o, --output <file>', 'output file; default: standard output')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone record -o good-run.json\n  untildone record 20261115 --session builder_001 > flaky.json\n  untildone run "…" --agent scripted:good-run.json --check "npm test"',
    )
    .action(act(async () => (await import('./record-action.ts')).recordCommand));
};
