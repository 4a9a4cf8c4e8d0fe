import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineRecord: DefineCommand = (program, act) => {
  withRun(program.command('record'), orNewest)
    .summary('turn finished sessions into a script that can be played again')
    .description('turn finished sessions into a script that the scripted agent plays again, without secrets')
    .option('--session <name>', 'only this one: builder_002, 002, or all of a role: verifier')
    .option('-o, --output <file>', 'where to write it; default: print it')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone record -o good-run.json\n  untildone record 20261115 --session builder_001 > flaky.json\n  untildone run "…" --agent scripted:good-run.json --check "npm test"',
    )
    .action(act(async () => (await import('./record-action.ts')).recordCommand));
};
