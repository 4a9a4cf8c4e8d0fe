import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineShow: DefineCommand = (program, act) => {
  withRun(program.command('show'), orNewest)
    .description('show the whole life of a run, fact by fact, and its summary')
    .option('--check <id>', 'all that was seen of one criterion, with the output; held-out ones too')
    .option('--json', 'print one JSON document with every event')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone show\n  untildone show --check npm-test\n  untildone show 20261115 --json | jq ".events[].type"',
    )
    .action(act(async () => (await import('./show-action.ts')).showCommand));
};
